/** Follows what happens to Fettle’s pull requests on GitHub: merged, closed, reopened, branch deleted, pushed by others. */
import type { Operation } from '@fettle/contract';
import type { PullRequestEnd } from '@fettle/database';
import { sendWorkSignal } from '@fettle/queue';
import { signalTimeoutMs } from '../../routes/params.ts';
import { within } from '../../within.ts';
import { type EventContext, placeOf } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import { statusOf } from '../failures.ts';
import { readPull } from '../requests/perform-command.ts';

export interface PullChange {
  repository: { full_name: string };
  pull_request?: { number: number };
  /** The branch that was pushed to or deleted. */
  branch?: string;
}

/** Reads the current state, so that the order of events does not matter. */
export async function followPull(
  context: EventContext,
  { repository: { full_name: repository }, pull_request, branch }: PullChange,
): Promise<EffectResult> {
  const { dependencies, organizationId, github } = context;
  const { database, outbox, redis } = dependencies;
  const stored = await database.repositories.findByName({
    organizationId,
    forge: 'github',
    name: repository,
  });
  if (!stored) return { ignored: 'Fettle has not worked in this repository' };
  const repositoryId = stored.id;
  const operation =
    pull_request === undefined
      ? await database.threads.findByHead({ repositoryId, branch })
      : await database.threads.findProposer({ repositoryId, number: pull_request.number });
  if (operation?.outcome?.kind !== 'proposal') return { ignored: 'it is no pull request of Fettle' };
  const client = await github.clientFor(repository);
  const pull = await readPull(client, repository, operation.outcome.pullRequest.number);
  const now: PullRequestEnd = pull.merged_at ? 'merged' : pull.state;
  const place = { ...placeOf(repository), ref: `heads/${operation.outcome.branch}` };
  const hasBranch =
    now !== 'closed' ||
    (await exists(
      (await github.readerFor(repository)).request('GET /repos/{owner}/{repo}/git/ref/{ref}', place),
    ));
  const message = describe(now, { number: pull.number, hasBranch });
  const followed = await database.operations.followPullRequest({ id: operation.id, now, message });
  if (followed.wasWorked && followed.changed)
    await within(signalTimeoutMs, sendWorkSignal(redis, operation.id, 'cancel'));
  await outbox.flush();
  if (followed.changed) return { did: message };
  return describeHead(operation, pull.head.sha);
}

/** Nothing has to be done for commits of others: the next revision continues from them. */
function describeHead({ id, outcome }: Operation, head: string): EffectResult {
  const isOurs = outcome?.kind === 'proposal' && outcome.headCommit === head;
  return isOurs
    ? { ignored: `${id} is up to date` }
    : { did: `noticed that the branch of ${id} is at ${head}, from which a revision would continue` };
}

function describe(
  now: PullRequestEnd,
  { number, hasBranch }: { number: number; hasBranch: boolean },
): string {
  const what = `Pull request #${number}`;
  if (now === 'merged') return `${what} was merged on GitHub.`;
  if (now === 'open') return `${what} was reopened on GitHub.`;
  return hasBranch
    ? `${what} was closed on GitHub.`
    : `${what} was closed on GitHub, and its branch was deleted.`;
}

async function exists(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}
