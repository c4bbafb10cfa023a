/** What the api does for GitHub in the background: it learns of repositories, ends tokens and closes pull requests. */
import type { Database, PullRequest } from '@fettle/database';
import { type Github, isStatus, paramsOf } from '@fettle/forge';
import { createFailureNote, type Log } from '@fettle/log';
import { within } from '../within.ts';

export interface KeepGithub {
  github: Github | undefined;
  database: Database;
  organizationId: string;
  log: Log;
  everyMs?: number;
}

const syncEveryMs = 60 * 60_000;

/** A failed round is repeated: GitHub may be unreachable when the api starts. */
export function startKeepingGithub({ github, database, organizationId, log, everyMs = 15_000 }: KeepGithub) {
  if (!github) return { async stop() {} };
  const note = createFailureNote(log, 'GitHub could not be reached; it will be tried again');
  let running: Promise<void> | undefined;
  let syncedAt = Number.NEGATIVE_INFINITY;

  async function keep(connected: Github): Promise<void> {
    const worked = await database.operations.listWorked();
    await connected.sweepTokens(new Set(worked.map(({ id }) => id)));
    for (const each of await database.pullRequests.listToClose())
      await closeOnGithub({ github: connected, database, log }, each);
    if (performance.now() - syncedAt < syncEveryMs) return;
    const found = await connected.syncInstallations();
    for (const each of found)
      await database.repositories.ensure({ organizationId, forge: 'github', ...each });
    syncedAt = performance.now();
    log.info({ repositories: found.length }, 'read the repositories that GitHub gives access to');
  }

  const tick = () => {
    running ??= keep(github)
      .then(note.recovered, note.failed)
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(tick, everyMs);
  tick();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await within(1_000, Promise.resolve(running));
      await within(2_000, github.close());
    },
  };
}

/** The operation was cancelled or expired. Closing is repeated until GitHub has done it. */
async function closeOnGithub(
  { github, database, log }: { github: Github; database: Database; log: Log },
  { id, number, repositoryId, operationId }: PullRequest,
): Promise<void> {
  const repository = await database.repositories.get(repositoryId);
  if (repository?.githubId === undefined) return;
  const { githubId, name, installationId } = repository;
  const octokit = github.octokitFor({ githubId, name, installationId }, { operationId });
  const place = { ...paramsOf(name), pull_number: number };
  try {
    await octokit.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', { ...place, state: 'closed' });
  } catch (error) {
    // It is merged, or there is nothing to close any more.
    if (!isStatus(error, 403, 404, 410, 422)) throw error;
    log.warn({ operationId, number }, 'GitHub refused to close the pull request of an ended operation');
  }
  await database.pullRequests.note({ id, remoteState: 'closed' });
}
