import { expect, test } from 'vitest';
import { describeSetupFailure, findMissingHost, lastLines } from './failure-lines.ts';
import { findHints } from './hints.ts';
import { isLockfileOutdated } from './lockfile-outdated.ts';

test.each([
  [
    'npm',
    'npm warn old\nnpm error code ERESOLVE\nnpm error ERESOLVE unable to resolve\nnpm error A complete log of this run can be found in x\n',
    'npm error ERESOLVE unable to resolve',
  ],
  ['pnpm', 'Progress\n ERR_PNPM_FETCH_404  GET /x\nThis error happened\n', 'ERR_PNPM_FETCH_404  GET /x'],
  [
    'Yarn',
    '➤ YN0000: start\n➤ YN0001: │ RequestError: 502\n    at async k7 (yarn.cjs:4:7153)\n➤ YN0000: end\n',
    '➤ YN0001: │ RequestError: 502',
  ],
  ['another program', 'one\n\u001b[31mtwo\u001b[0m\n', 'one | two'],
])('%s: the lines that matter', (_, output, reason) => {
  expect(describeSetupFailure(output)).toBe(reason);
});

test('the last lines are bounded', () => {
  expect(lastLines(Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n'), 13)).toBe(' 18 | line 19');
});

test.each([
  ['npx playwright install\n', 'browser'],
  ['Error: getaddrinfo EAI_AGAIN example.com', 'network'],
  ['fatal: No names found, cannot describe anything.', 'history'],
  ['Cannot connect to the Docker daemon at unix:///x', 'Docker'],
])('%s', (output, word) => {
  expect(findHints(output)).toEqual([expect.stringContaining(word)]);
  expect(findHints('expected 1 to be 2')).toEqual([]);
});

test.each([
  '`npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync.',
  ' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install',
  'error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.',
  '➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.',
  'error: lockfile had changes, but lockfile is frozen',
])('an outdated lockfile: %s', (output) => {
  expect(isLockfileOutdated({ exitCode: 1, output })).toBe(true);
  expect(isLockfileOutdated({ exitCode: 0, output })).toBe(false);
});

test('a host that is no registry of the sandbox is named', () => {
  const jsr =
    'error: JSR package manifest for @std/fs failed to load. error sending request for url (https://jsr.io/@std/fs/meta.json): dns error';
  expect(findMissingHost(jsr)).toBe('jsr.io');
  expect(findMissingHost('error Error: getaddrinfo ENOTFOUND github.com')).toBe('github.com');
  expect(findMissingHost('GET http://127.0.0.1:4000/x: ECONNREFUSED')).toBeUndefined();
  expect(findMissingHost('see https://example.com')).toBeUndefined();
});
