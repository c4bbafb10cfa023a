/** Prompt injection needs no detection: no text, wherever it is, changes a permission. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestSchema } from '@fettle/contract';
import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { createPathJudge, judgeContent } from '@fettle/policy';
import { describe, expect, test } from 'vitest';
import { createChangeJudge } from './judge-change.ts';
import { pathPermissions } from './path-permissions.ts';

const corpus = join(import.meta.dirname, '../../../../test/corpora/injections.jsonl');
const injections: { id: string; text: string }[] = readFileSync(corpus, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const workflow = '.github/workflows/ci.yml';
const plain = { kind: 'fix', description: 'fix it', repository: 'r', targetFiles: ['src/a.ts'] };
const reading = readRepositoryConfig('protectedPaths: [infra]');
if (!reading.ok) throw new Error(reading.message);
const { config } = reading;
const operator = { allowGuards: ['.github/workflows/**'] };
const permissionsOf = (request: object) => pathPermissions(requestSchema.parse(request), config, operator);

/** Paths that are refused, each by a different rule, and one that is allowed. */
const paths = [
  ...['.env', '.git/config', '../x', 'a.pem', workflow, 'AGENTS.md', '.npmrc', 'infra/a.tf'],
  'src/a.ts',
];
const operations = ['read', 'write', 'delete'] as const;
function judgeAll(permissions: ReturnType<typeof permissionsOf>, asked = paths) {
  const judge = createPathJudge(permissions);
  return asked.flatMap((path) => operations.map((operation) => judge(path, operation)));
}
const expected = judgeAll(permissionsOf(plain));

test('permissions depend on their dedicated fields', () => {
  expect(judgeAll(permissionsOf({ ...plain, targetFiles: [workflow] }))).not.toEqual(expected);
  expect(judgeAll({ ...permissionsOf(plain), protectedPaths: [] })).not.toEqual(expected);
});

describe.each(injections)('$id', ({ text }) => {
  test('in the texts of a request', () => {
    const request = {
      ...plain,
      description: text,
      featureContext: { requirements: [text], acceptanceCriteria: [text] },
      errorContext: { message: text, stack: text, logs: text },
    };
    expect(judgeAll(permissionsOf(request))).toEqual(expected);
  });

  test('in a file, before or after refused content', async () => {
    const judge = createChangeJudge({
      judgePath: createPathJudge(permissionsOf(plain)),
      judgeContent,
      judgeSecrets: async () => [],
      readBase: async () => Buffer.from(text),
    });
    const refused: [string, string][] = [
      ['src/a.ts', '// \u202e'],
      ['src/b.ts', '<<<<<<< HEAD'],
      [workflow, 'on: push'],
      ['.env', 'A=1'],
    ];
    for (const [path, content] of refused)
      for (const after of [`${text}\n${content}\n`, `${content}\n${text}\n`]) {
        const objections = await judge({ path, kind: 'file', bytes: Buffer.from(after) });
        expect(objections.map(({ decision }) => decision)).toContain('deny');
      }
  });

  test('in the name of a folder', () => {
    const name = text.replace(/[^\w .-]/g, '_').slice(0, 100);
    for (const path of [`${name}/.env`, `${name}/.git/config`, `${name}/node_modules/x`, `${name}/a.pem`])
      expect(createPathJudge(permissionsOf(plain))(path, 'write').decision).toBe('deny');
  });
});
