import type { Parser } from './parser.ts';
import { biome } from './parsers/biome.ts';
import { eslint } from './parsers/eslint.ts';
import { jest } from './parsers/jest.ts';
import { nodeTest } from './parsers/node-test.ts';
import { pytest } from './parsers/pytest.ts';
import { tap } from './parsers/tap.ts';
import { tsc } from './parsers/tsc.ts';
import { vitest } from './parsers/vitest.ts';

export const parsers: Parser[] = [tsc, eslint, biome, vitest, jest, nodeTest, tap, pytest];
