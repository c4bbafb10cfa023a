import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startHttpGitServer } from '../../packages/git/src/testing/http-git-server.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, git, makeRepository } from '../support/repository.ts';

const mend = conversation('mend', [
  turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] })),
  turn(say('Add instead of subtracting')),
]);
const token = `secret-${crypto.randomUUID()}`;

/** A folder with the bare repository `acme/sum.git` in it. */
function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'fettle-repositories-'));
  const from = makeRepository(brokenSum);
  mkdirSync(join(root, 'acme'));
  git(root, 'clone', '--quiet', '--bare', from.path, 'acme/sum.git');
  git(join(root, 'acme/sum.git'), 'config', 'http.receivepack', 'true');
  from.remove();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

async function start(settings: Record<string, string>): Promise<Platform> {
  const platform = await startPlatform({ conversations: [mend], settings });
  onTestFinished(() => platform.close());
  return platform;
}

async function mendSum(platform: Platform, repository: string) {
  const { operation } = await platform.run({ kind: 'fix', description: 'the sum is wrong', repository });
  if (operation.outcome?.kind !== 'proposal') throw new Error(JSON.stringify(operation.outcome));
  return operation.outcome;
}

test('owner/name is a repository below the folder of repositories', async () => {
  const root = makeRoot();
  const platform = await start({ FETTLE_REPOSITORIES: root });
  const { branch, headCommit } = await mendSum(platform, 'acme/sum');
  expect(git(join(root, 'acme/sum.git'), 'rev-parse', branch)).toBe(headCommit);
});

test('a repository on a git host gets its branch there, and the token goes nowhere else', async () => {
  const root = makeRoot();
  const host = await startHttpGitServer({ root, token });
  const platform = await start({ FETTLE_GIT_HOSTS: host.url, FETTLE_GIT_TOKENS: `${host.url}=${token}` });
  const { branch, headCommit } = await mendSum(platform, `${host.url}/acme/sum.git`);
  expect(git(join(root, 'acme/sum.git'), 'rev-parse', branch)).toBe(headCommit);
  expect(new Set(host.passwords)).toEqual(new Set([token]));
  expect(filesWith(platform.home, 'acme/sum')).not.toEqual([]);
  expect(filesWith(platform.home, token)).toEqual([]);
  const logs = [platform.api, platform.worker].map((service) => service.log()).join('');
  expect(logs).not.toContain(token);
});

test('a git host that wants a token and was given none ends the operation with that reason', async () => {
  const host = await startHttpGitServer({ root: makeRoot(), token });
  const platform = await start({ FETTLE_GIT_HOSTS: host.url });
  const { operation } = await platform.run({
    ...{ kind: 'fix', description: 'the sum is wrong', repository: `${host.url}/acme/sum.git` },
  });
  expect(operation).toMatchObject({
    state: 'failed',
    outcome: { reason: 'repository_unreachable', message: expect.stringContaining('FETTLE_GIT_TOKENS') },
  });
});

// By a program that goes on where a file has gone: the worker is at work while its home is read.
function filesWith(folder: string, text: string): string[] {
  const { stdout, error } = spawnSync('grep', ['-rlsF', '-e', text, folder], { encoding: 'utf8' });
  if (error) throw error;
  return stdout.split('\n').filter(Boolean);
}
