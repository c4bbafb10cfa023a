import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { startHttpGitServer } from '../../packages/git/src/testing/http-git-server.ts';
import { proposalOf } from '../support/events.ts';
import { openFolder, openPlatform, openRepository } from '../support/lifetime.ts';
import type { Platform } from '../support/platform.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum, git } from '../support/repository.ts';
import type { Environment } from '../support/service-process.ts';

const mend = conversation('mend', [repairSum, turn(say('Add instead of subtracting'))]);
const token = `secret-${crypto.randomUUID()}`;

/** A folder with the bare repository `acme/sum.git` in it. */
function makeRoot(): string {
  const root = openFolder('fettle-repositories');
  const from = openRepository(brokenSum);
  mkdirSync(join(root, 'acme'));
  git(root, 'clone', '--quiet', '--bare', from.path, 'acme/sum.git');
  git(join(root, 'acme/sum.git'), 'config', 'http.receivepack', 'true');
  return root;
}

const start = (settings: Environment) => openPlatform({ conversations: [mend], settings });

async function mendSum(platform: Platform, repository: string) {
  const { operation } = await platform.run({ kind: 'fix', description: 'the sum is wrong', repository });
  return proposalOf(operation);
}

test('owner/name is a repository in the folder of repositories', async () => {
  const root = makeRoot();
  const platform = await start({ FETTLE_REPOSITORIES: root });
  const { branch, headCommit } = await mendSum(platform, 'acme/sum');
  expect(git(join(root, 'acme/sum.git'), 'rev-parse', branch)).toBe(headCommit);
});

test('a repository on a git host gets its branch, and the token is stored nowhere else', async () => {
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

test('a git host that requires a token and gets none ends the operation with that reason', async () => {
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

// By grep, which tolerates files that disappear: the worker runs while its home is read.
function filesWith(folder: string, text: string): string[] {
  const { stdout, error } = spawnSync('grep', ['-rlsF', '-e', text, folder], { encoding: 'utf8' });
  if (error) throw error;
  return stdout.split('\n').filter(Boolean);
}
