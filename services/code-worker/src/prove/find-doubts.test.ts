import { expect, test } from 'vitest';
import { runsFile } from './find-doubts.ts';

test.each([
  ['node scripts/check.mjs', 'scripts/check.mjs'],
  ['CI=1 ./check.sh --all', 'check.sh'],
  ['npm run build && bash tools/run.sh', 'tools/run.sh'],
  ['python3 -u tools/run.py', 'tools/run.py'],
  ['[{"test":"bun run check.ts"}]', 'check.ts'],
])('%s runs %s', (command, path) => expect(runsFile(command, path)).toBe(true));

test.each([
  ['node --check sum.mjs', 'sum.mjs'],
  ['eslint src/a.ts', 'src/a.ts'],
  ['node --test a.test.mjs', 'a.test.mjs'],
  ['node other.mjs src/a.ts', 'src/a.ts'],
  ['make check', 'check'],
])('%s does not run %s', (command, path) => expect(runsFile(command, path)).toBe(false));
