import { expect, test } from 'vitest';
import { openFolder } from '../../testing/open-folder.ts';
import { processesWith } from '../../testing/processes.ts';
import { runFettle } from '../../testing/run-fettle.ts';

test('the demo ends with a proposal whose branch exists', async () => {
  const folder = openFolder();
  const { exitCode, stdout, stderr } = await runFettle(['demo', '--fast'], { TMPDIR: folder });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('✗ failed test');
  expect(stdout).toContain('✓ passed test in a fresh sandbox');
  expect(stdout).toContain('Proposal #1');
  expect(stdout).toContain('model claude-rehearsal');
  expect(stdout).not.toMatch(/dollar budget|price|\[redacted\]/);
  expect(stdout).toContain('✓ the branch is in the repository');
  expect(processesWith(folder)).toEqual([]);
});

test('the demo with GitHub ends with a changed pull request', async () => {
  const folder = openFolder();
  const { exitCode, stdout, stderr } = await runFettle(['demo', '--github', '--fast'], { TMPDIR: folder });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/Fettle opens pull request #2: .*Split bills to the cent/);
  expect(stdout).toContain('and the check passes');
  expect(stdout).toContain('answers the review and resolves its thread');
  expect(stdout).toMatch(/the pull request: http:.*\/lima\/shared-expenses\/pull\/2/);
  expect(processesWith(folder)).toEqual([]);
});
