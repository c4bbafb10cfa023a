import { expect, test } from 'vitest';
import { installationClient, shop, startValidated, statusOf } from '../testing/start.ts';

test('check runs: annotations are added, suites follow, only the owner may write', async () => {
  const github = await startValidated();
  const octokit = await installationClient(github);
  const sha = await github.as('bob').push('acme/shop', 'fix', { a: 'a\n' });
  const note = { path: 'a', start_line: 1, end_line: 1, annotation_level: 'warning' as const, message: 'hm' };
  const made = await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
    ...shop,
    name: 'fettle',
    head_sha: sha,
    status: 'in_progress',
    output: { title: 't', summary: 's', annotations: [note] },
  });
  const run = { ...shop, check_run_id: made.data.id };
  await octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
    ...run,
    conclusion: 'success',
    output: { title: 't', summary: 's', annotations: [note] },
  });
  const { data } = await octokit.request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}', run);
  expect(data).toMatchObject({
    status: 'completed',
    conclusion: 'success',
    output: { annotations_count: 2 },
  });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations', run)).data,
  ).toHaveLength(2);
  const many = Array.from({ length: 51 }, () => note);
  expect(
    await statusOf(
      octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
        ...run,
        output: { title: 't', summary: 's', annotations: many },
      }),
    ),
  ).toBe(422);
  const theirs = await github
    .as('bob')
    .completeCheck('acme/shop', { on: 'fix', name: 'test', conclusion: 'failure', log: 'boom\n' });
  expect(
    await statusOf(
      octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
        ...shop,
        check_run_id: theirs.id,
        status: 'queued',
      }),
    ),
  ).toBe(403);
  const list = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
    ...shop,
    ref: sha,
  });
  expect(list.data.check_runs.map(({ name, conclusion }) => [name, conclusion])).toEqual([
    ['fettle', 'success'],
    ['test', 'failure'],
  ]);
  const suites = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-suites', {
    ...shop,
    ref: 'fix',
  });
  expect(suites.data.check_suites.map(({ conclusion }) => conclusion)).toEqual(['success', 'failure']);
  const own = Number(suites.data.check_suites[0]?.id);
  await octokit.request('POST /repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest', {
    ...shop,
    check_suite_id: own,
  });
  await octokit.request('GET /repos/{owner}/{repo}/check-suites/{check_suite_id}', {
    ...shop,
    check_suite_id: own,
  });
});

test('the log of a job is behind a redirect, and failed jobs run again', async () => {
  const github = await startValidated();
  const [installation] = github.installations();
  if (installation)
    github.changePermissions(installation, {
      ...installation.permissions,
      actions: 'write',
      statuses: 'write',
    });
  const octokit = await installationClient(github);
  const bob = github.as('bob');
  const sha = await bob.push('acme/shop', 'fix', { a: 'a\n' });
  const job = await bob.completeCheck('acme/shop', {
    on: sha,
    name: 'test',
    conclusion: 'failure',
    log: 'line\nboom\n',
  });
  await bob.completeCheck('acme/shop', { on: sha, name: 'lint', conclusion: 'success' });
  const log = await octokit.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', {
    ...shop,
    job_id: job.id,
  });
  expect(log.data).toBe('line\nboom\n');
  const one = await octokit.request('GET /repos/{owner}/{repo}/actions/jobs/{job_id}', {
    ...shop,
    job_id: job.id,
  });
  const run = { ...shop, run_id: Number(one.data.run_id) };
  await octokit.request('POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs', run);
  const jobs = await octokit.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs', run);
  expect(jobs.data.jobs.map(({ name, status }) => [name, status])).toEqual([
    ['lint', 'completed'],
    ['test', 'queued'],
  ]);
  await bob.completeCheck('acme/shop', { on: sha, name: 'test', conclusion: 'success' });
  expect((await octokit.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}', run)).data).toMatchObject({
    run_attempt: 2,
    conclusion: 'success',
  });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/actions/runs', { ...shop, head_sha: sha })).data
      .total_count,
  ).toBe(1);
  await octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...shop,
    sha,
    state: 'pending',
    context: 'deploy',
  });
  await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/statuses', { ...shop, ref: sha });
  expect(
    (await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/status', { ...shop, ref: 'fix' })).data
      .state,
  ).toBe('pending');
});
