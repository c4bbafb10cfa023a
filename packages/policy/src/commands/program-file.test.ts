import { describe, expect, test } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import { PROGRAM_FILE, programFile } from './program-file.ts';

describe('a program of the repository', () => {
  test.each(programFile.match)('%s runs', (line) => {
    expect(judgeCommand(line)).toMatchObject({ decision: 'allow', rules: [PROGRAM_FILE] });
  });
  test.each([
    ...programFile.notMatch,
    'node_modules/.bin/sh -c id',
    './node_modules/.bin/../../x',
    '.venv/bin/pip install x',
    'venv/bin/python3.12 x.py',
    'sub/env id',
    './scripts/build.BASH',
    'bin/bash5 -c id',
    './gradlew test',
    'node_modules/.bin/vercel deploy',
    './node_modules/.bin/wrangler publish',
    'cd .. && ./x',
    '-x/y',
  ])('%s does not', (line) => expect(judgeCommand(line)).toMatchObject({ decision: 'deny' }));
});

describe('an installed tool', () => {
  test.each([
    ['./node_modules/.bin/tsc --noEmit', 'allow'],
    ['packages/a/node_modules/.bin/eslint src', 'allow'],
    ['.venv/bin/pytest -q tests', 'allow'],
    ['./node_modules/.bin/tsc --outDir /etc', 'deny'],
    ['node_modules/.bin/vitest --ui', 'deny'],
    ['.venv/bin/pytest /etc', 'deny'],
  ])('%s is judged by the rule of the tool: %s', (line, decision) => {
    expect(judgeCommand(line)).toMatchObject({ decision });
  });
});
