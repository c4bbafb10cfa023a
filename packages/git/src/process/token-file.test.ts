import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { syncMirror } from '../mirror/sync-mirror.ts';
import { startHttpGitServer } from '../testing/http-git-server.ts';
import { git, repositoryWith, someone, temporaryFolder } from '../testing/repository.ts';
import { commitProposal } from '../write/commit-proposal.ts';
import { pushCommit } from '../write/push-commit.ts';
import { GitError } from './git-error.ts';
import { withTokenFile } from './token-file.ts';

const token = `secret-${crypto.randomUUID()}`;
const protocols = ['http'];

function processesThatShow(text: string): string[] {
  const shown: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const file of ['cmdline', 'environ']) {
      try {
        if (readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(text)) shown.push(`${pid}/${file}`);
      } catch {
        // The process has exited, or belongs to another user.
      }
    }
  }
  return shown;
}

test.runIf(process.platform === 'linux')(
  'a token reaches the server and is in no argument list and no environment',
  async () => {
    const root = temporaryFolder();
    git(root, 'clone', '--quiet', '--bare', repositoryWith({ a: 'a' }), 'x.git');
    git(join(root, 'x.git'), 'config', 'http.receivepack', 'true');
    const shown: string[] = [];
    const onRequest = () => void shown.push(...processesThatShow(token));
    const server = await startHttpGitServer({ root, token, onRequest });
    const url = `${server.url}/x.git`;

    const mirror = join(temporaryFolder(), 'mirror.git');
    const { heads, defaultBranch } = await syncMirror({ mirror, source: url, token, protocols });
    expect([defaultBranch, heads.size]).toEqual(['main', 1]);
    const base = heads.get('main') ?? '';
    const commit = await commitProposal({
      ...{ mirror, tree: base, base, message: 'm\n', author: someone, committer: someone, dateSeconds: 1 },
    });
    const push = { mirror, target: url, commit, branch: 'agent/1', token, protocols };
    expect(await pushCommit(push)).toBe('created');
    expect(await pushCommit(push)).toBe('unchanged');
    expect(git(join(root, 'x.git'), 'rev-parse', 'agent/1')).toBe(commit);
    expect(new Set(server.passwords)).toEqual(new Set([token]));
    expect(shown).toEqual([]);
    expect(readFileSync(join(mirror, 'config'), 'utf8')).not.toContain(token);
  },
);

test('a missing and a wrong token both fail with auth_required', async () => {
  const server = await startHttpGitServer({ root: temporaryFolder(), token });
  const source = `${server.url}/x.git`;
  const mirror = join(temporaryFolder(), 'mirror.git');
  for (const given of [undefined, 'wrong']) {
    const error = await syncMirror({ mirror, source, token: given, protocols }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'auth_required' });
    expect(`${error.message}${error.detail}`).not.toContain('wrong');
  }
  const missing = syncMirror({ mirror, source, token, protocols });
  await expect(missing).rejects.toMatchObject({ code: 'not_a_repository' });
});

test('the token file is private, and is deleted even after a failure', async () => {
  let file = '';
  const use = withTokenFile(token, async (env) => {
    file = env.FETTLE_GIT_TOKEN_FILE ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    throw new Error('on purpose');
  });
  await expect(use).rejects.toThrow('on purpose');
  expect(() => statSync(file)).toThrow('ENOENT');
});

test('a token that the host repeats is removed from the message', async () => {
  const use = withTokenFile('s3cret', async () => {
    throw new GitError('failed', 'remote: hello s3cret', {
      detail: Buffer.from('s3cret').toString('base64'),
    });
  });
  await expect(use).rejects.toMatchObject({ message: 'remote: hello [token]', detail: '[token]' });
});
