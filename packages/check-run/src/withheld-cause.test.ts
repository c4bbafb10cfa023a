import { expect, test } from 'vitest';
import { findWithheldIn } from './withheld.ts';
import { excuseWithheld, findWithheldCause, nameWithheld } from './withheld-cause.ts';

test('an output names withheld files by path or name', () => {
  const withheld = ['.env', 'certs/server.key'];
  expect(findWithheldIn("ENOENT: open '/work/.env'", withheld)).toEqual(['.env']);
  expect(findWithheldIn('cannot parse server.key.', withheld)).toEqual(['certs/server.key']);
  expect(findWithheldIn('process.env .env.example my-server.key', withheld)).toEqual([]);
});

const file = {
  rawPath: '',
  executable: false,
  oid: '0'.repeat(40),
  mode: '100644',
  size: 9,
  bytes: Buffer.alloc(0),
};
const files = nameWithheld([
  { ...file, path: '.env', omitted: 'API_TOKEN=abc\nexport DATABASE_URL = x\nNODE_ENV=test\nlower=1\n' },
  { ...file, path: 'certs/server.key', omitted: '-----BEGIN KEY-----\nABCD=\n' },
]);

test.each([
  ['Error: API_TOKEN is not set', ['.env']],
  ["KeyError: 'DATABASE_URL'", ['.env']],
  ["Error: ENOENT: no such file, open '/sandbox/workspace/.env'", ['.env']],
  ['error:0909006C:PEM routines: no start line: certs/server.key', ['certs/server.key']],
  ['SyntaxError: # Fettle withholds ".env" from sandboxes', ['.env']],
  ['[dotenv@17.2.3] injecting env (0) from .env -- tip: prevent committing .env to code', []],
  ['  - Environments: .env', []],
  ['AssertionError: NODE_ENV must be production', []],
  ['AssertionError: expected 1 to be 2', []],
  ['Error: OTHER_API_TOKEN is not set, see .env.example', []],
])('%s', (output, expected) => {
  expect(findWithheldCause(`ok 1\n${output}\n`, files)).toEqual(expected);
});

test('only a failed run is excused, and the reason names the file', () => {
  const output = 'Error: API_TOKEN is required';
  expect(excuseWithheld({ status: 'failed' as const }, output, files)).toEqual({
    status: 'could_not_run',
    obstacle: {
      code: 'file_withheld',
      message:
        'It needs `.env`, which is withheld from sandboxes because files of this name hold credentials.',
    },
  });
  expect(excuseWithheld({ status: 'passed' as const }, output, files)).toEqual({ status: 'passed' });
});
