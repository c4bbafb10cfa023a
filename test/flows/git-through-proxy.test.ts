/** Git honours the proxy variables, over real sockets. */
import { join } from 'node:path';
import { commitProposal, GitError, pushCommit, syncMirror } from '@fettle/git';
import { afterEach, expect, test, vi } from 'vitest';
import { startHttpGitServer } from '../../packages/git/src/testing/http-git-server.ts';
import { git, repositoryWith, someone, temporaryFolder } from '../../packages/git/src/testing/repository.ts';
import { startTestProxy } from '../../packages/registry/src/testing/proxy.ts';

const token = `token-${crypto.randomUUID()}`;
const protocols = ['http', 'https'];
const unset = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
    [name, undefined],
    [name.toUpperCase(), undefined],
  ]),
);

afterEach(() => vi.unstubAllEnvs());

function setProxies(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries({ ...unset, ...variables })) vi.stubEnv(name, value);
}

async function serveRepository(): Promise<string> {
  const root = temporaryFolder();
  git(root, 'clone', '--quiet', '--bare', repositoryWith({ a: 'a' }), 'x.git');
  git(join(root, 'x.git'), 'config', 'http.receivepack', 'true');
  const { url } = await startHttpGitServer({ root, token });
  return `${url}/x.git`;
}

const newMirror = () => join(temporaryFolder(), 'mirror.git');

test.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'])('a fetch and a push go through %s', async (name) => {
  const source = await serveRepository();
  const proxy = await startTestProxy({ credentials: 'user:secret' });
  setProxies({ [name]: proxy.url });
  const mirror = newMirror();
  const { heads } = await syncMirror({ mirror, source, token, protocols });
  const base = heads.get('main') ?? '';
  const options = { mirror, tree: base, base, message: 'm\n', dateSeconds: 1 };
  const commit = await commitProposal({ ...options, author: someone, committer: someone });
  expect(await pushCommit({ mirror, target: source, commit, branch: 'agent/1', token, protocols })).toBe(
    'created',
  );
  expect(proxy.requests).toContain(`POST ${source}/git-upload-pack`);
  expect(proxy.requests).toContain(`POST ${source}/git-receive-pack`);
  expect([...proxy.credentials]).toEqual(['user:secret']);
});

test.each(['NO_PROXY', 'no_proxy'])('%s bypasses the proxy', async (name) => {
  const source = await serveRepository();
  const proxy = await startTestProxy();
  setProxies({ HTTP_PROXY: proxy.url, [name]: 'example.com,127.0.0.1' });
  await syncMirror({ mirror: newMirror(), source, token, protocols });
  expect(proxy.requests).toEqual([]);
});

test('an https repository is reached by a tunnel', async () => {
  const proxy = await startTestProxy();
  setProxies({ HTTPS_PROXY: proxy.url, HTTP_PROXY: 'http://127.0.0.1:1' });
  // Port 1 refuses connections, so the tunnel fails behind the proxy.
  const failed = await failedSync('https://127.0.0.1:1/x.git');
  expect(failed.code).toBe('unreachable');
  expect(proxy.requests).toEqual(['CONNECT 127.0.0.1:1']);
});

test.each([
  ['a password that the proxy refuses', 'user:wrong-secret@'],
  ['a user without a password', 'wrong-secret@'],
])('%s is in no message, and the proxy does not get the token', async (_case, userInfo) => {
  const source = await serveRepository();
  const proxy = await startTestProxy({ credentials: 'user:secret' });
  setProxies({ HTTP_PROXY: proxy.url.replace('user:secret@', userInfo) });
  const failed = await failedSync(source);
  expect(failed).toMatchObject({ code: 'unreachable', message: expect.stringContaining('HTTP_PROXY') });
  expect(`${failed.message}${failed.detail}`).not.toContain('wrong-secret');
  expect([...proxy.credentials].join()).not.toContain(token);
});

test('an address that curl cannot read is in no message', async () => {
  const password = 'wrong-secret';
  setProxies({ HTTP_PROXY: `http://user:${password}@127.0.0.1:port` });
  const failed = await failedSync(await serveRepository());
  expect(failed.code).toBe('unreachable');
  expect(`${failed.message}${failed.detail}`).not.toContain('wrong-secret');
});

async function failedSync(source: string): Promise<GitError> {
  const failed = await syncMirror({ mirror: newMirror(), source, token, protocols }).catch((error) => error);
  expect(failed).toBeInstanceOf(GitError);
  return failed;
}
