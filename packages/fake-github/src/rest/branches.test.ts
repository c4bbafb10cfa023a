import { expect, test } from 'vitest';
import { installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('branches, refs, contents and the comparison come from git', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  await github.as('bob').push('acme/shop', 'a/b', { '.github/CODEOWNERS': '* @ada\n' });
  const file = await octokit.request('GET /repos/{owner}/{repo}/contents/{path}', {
    ...shop,
    path: '.github/CODEOWNERS',
    ref: 'a/b',
  });
  const { content } = file.data as { content: string };
  expect(Buffer.from(content, 'base64').toString()).toBe('* @ada\n');
  await octokit.request('GET /repos/{owner}/{repo}/contents/{path}', {
    ...shop,
    path: '.github',
    ref: 'a/b',
  });
  expect(
    await statusOf(
      octokit.request('GET /repos/{owner}/{repo}/contents/{path}', { ...shop, path: 'CODEOWNERS' }),
    ),
  ).toBe(404);
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/branches', shop)).data.map(({ name }) => name),
  ).toEqual(['a/b', 'main']);
  const ref = await octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...shop, ref: 'heads/a/b' });
  const { sha } = ref.data.object;
  await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}', { ...shop, ref: sha });
  await octokit.request('POST /repos/{owner}/{repo}/git/refs', { ...shop, ref: 'refs/heads/copy', sha });
  expect(
    await statusOf(
      octokit.request('POST /repos/{owner}/{repo}/git/refs', { ...shop, ref: 'refs/heads/copy', sha }),
    ),
  ).toBe(422);
  await octokit.request('DELETE /repos/{owner}/{repo}/git/refs/{ref}', { ...shop, ref: 'heads/copy' });
  expect(
    await statusOf(
      octokit.request('DELETE /repos/{owner}/{repo}/git/refs/{ref}', { ...shop, ref: 'heads/copy' }),
    ),
  ).toBe(422);
  await octokit.request('GET /repos/{owner}/{repo}/git/matching-refs/{ref}', { ...shop, ref: 'heads/a' });
  expect(
    await statusOf(
      octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', { ...shop, branch: 'none' }),
    ),
  ).toBe(404);
});

test('a renamed or transferred repository redirects', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  github.as('ada').rename('acme/shop', 'store');
  const { data } = await octokit.request('GET /repos/{owner}/{repo}', shop);
  expect(data.full_name).toBe('acme/store');
  github.as('ada').transfer('acme/store', 'other');
  expect(await statusOf(octokit.request('GET /repos/{owner}/{repo}', shop))).toBe(404);
});
