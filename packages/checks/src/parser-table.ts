import type { Parser } from './parser.ts';
import { biome } from './parsers/biome.ts';
import { cCompilers } from './parsers/c/c-compilers.ts';
import { ctest } from './parsers/c/ctest.ts';
import { gtest } from './parsers/c/gtest.ts';
import { counted } from './parsers/custom/counted.ts';
import { eslint } from './parsers/eslint.ts';
import { formatterParsers } from './parsers/formatters.ts';
import { goProblems } from './parsers/go/go-problems.ts';
import { goTest } from './parsers/go/go-test.ts';
import { ava } from './parsers/javascript/ava.ts';
import { bun } from './parsers/javascript/bun.ts';
import { deno } from './parsers/javascript/deno.ts';
import { jasmine } from './parsers/javascript/jasmine.ts';
import { mocha } from './parsers/javascript/mocha.ts';
import { tapReporter } from './parsers/javascript/tap-reporter.ts';
import { xo } from './parsers/javascript/xo.ts';
import { jest } from './parsers/jest.ts';
import { jvmCompilers } from './parsers/jvm/compilers.ts';
import { gradle } from './parsers/jvm/gradle.ts';
import { surefire } from './parsers/jvm/surefire.ts';
import { nodeTest } from './parsers/node-test.ts';
import { phpunit } from './parsers/php/phpunit.ts';
import { pytest } from './parsers/pytest.ts';
import { codeLines, ruff } from './parsers/python/code-lines.ts';
import { typeCheckerParsers } from './parsers/python/types.ts';
import { unittest } from './parsers/python/unittest.ts';
import { minitest } from './parsers/ruby/minitest.ts';
import { rspec } from './parsers/ruby/rspec.ts';
import { rubocop } from './parsers/ruby/rubocop.ts';
import { cargoTest } from './parsers/rust/cargo-test.ts';
import { rustc } from './parsers/rust/rustc.ts';
import { tap } from './parsers/tap.ts';
import { tsc } from './parsers/tsc.ts';
import { vitest } from './parsers/vitest.ts';

const problems: Parser[] = [
  ...[tsc, eslint, biome, xo, ...formatterParsers],
  ...[ruff, codeLines, ...typeCheckerParsers],
  ...[goProblems, rustc, jvmCompilers, cCompilers, rubocop],
];

const tests: Parser[] = [
  ...[vitest, jest, mocha, ava, jasmine, bun, deno, nodeTest, tap, tapReporter],
  ...[pytest, unittest, goTest, cargoTest, surefire, gradle, rspec, minitest, phpunit, ctest, gtest],
  counted,
];

export const parsers: Parser[] = [...problems, ...tests];
