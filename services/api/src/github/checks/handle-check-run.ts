/** A check of others failed on Fettle’s pull request: it runs once more, then the agent repairs it, at most twice. */
import type { Operation } from '@fettle/contract';
import { type EventContext, type GithubClient, placeOf, repositoryIdOf } from '../context.ts';
import type { EffectResult } from '../deliveries/run-deliveries.ts';
import type { CheckRun, Payload, Pull } from '../events/payloads.ts';
import { statusOf } from '../failures.ts';
import { markerFor } from '../requests/own-comments.ts';
import { readPull } from '../requests/perform-command.ts';
import { describeCheck } from './describe-check.ts';
import { listCheckRuns } from './list-check-runs.ts';

const failures: readonly (string | null)[] = ['failure', 'timed_out'];
const handsOffLabel = 'fettle:hands-off';
/** How many repairs a proposal may have. */
const maxRepairs = 2;

interface FailedCheck {
  client: GithubClient;
  repository: string;
  operation: Operation;
  pull: Pull;
  check: CheckRun;
}

export async function handleCheckRun(
  context: EventContext,
  { repository: { full_name: repository }, check_run: check }: Payload<'check_run'>,
): Promise<EffectResult> {
  if (!failures.includes(check.conclusion)) return { ignored: `the check is ${check.conclusion}` };
  if (check.app?.slug === (await context.github.readMention())) return { ignored: 'it is a check of Fettle' };
  const operation = await findOperation(context, repository, check);
  if (operation?.outcome?.kind !== 'proposal') return { ignored: 'it is no pull request of Fettle' };
  const client = await context.github.clientFor(repository);
  const pull = await readPull(client, repository, operation.outcome.pullRequest.number);
  const failed = { client, repository, operation, pull, check };
  const reason = await refuseRepair(failed);
  if (reason !== undefined) return { ignored: reason };
  return repair(context, failed);
}

async function findOperation(
  { dependencies, organizationId }: EventContext,
  repository: string,
  { head_sha, check_suite }: CheckRun,
): Promise<Operation | undefined> {
  const { database } = dependencies;
  const stored = await database.repositories.findByName({
    organizationId,
    forge: 'github',
    name: repository,
  });
  if (!stored) return undefined;
  const branch = check_suite?.head_branch ?? undefined;
  return database.threads.findByHead({ repositoryId: stored.id, commit: head_sha, branch });
}

async function refuseRepair({ client, repository, pull, check }: FailedCheck): Promise<string | undefined> {
  if (pull.state !== 'open') return 'the pull request is closed';
  if (pull.head.sha !== check.head_sha) return 'the pull request has a newer commit';
  if (pull.labels.includes(handsOffLabel)) return `the pull request has the label ${handsOffLabel}`;
  const latest = (await listCheckRuns(client, { repository, ref: check.head_sha, name: check.name })).at(0);
  if (latest && latest.id !== check.id && !failures.includes(latest.conclusion))
    return 'the check has been run again since';
  const onBase = await listCheckRuns(client, { repository, ref: pull.base.sha, name: check.name });
  return failures.includes(onBase.at(0)?.conclusion ?? null) ? 'the same check fails on the base' : undefined;
}

async function repair(context: EventContext, failed: FailedCheck): Promise<EffectResult> {
  const { database } = context.dependencies;
  const { check, operation, pull } = failed;
  if (await rerunOnce(context, failed)) return { did: `ran ${check.name} again` };
  if ((await database.feedback.countRepairs(operation.id)) >= maxRepairs) {
    await sayGivenUp(context, failed);
    return { did: `gave up repairing ${check.name}` };
  }
  await database.feedback.add({
    key: `check:${check.id}:${check.completed_at}`,
    operationId: operation.id,
    kind: 'check',
    author: 'Fettle',
    text: context.dependencies.redaction.text(await describeCheck(failed)),
    items: [],
    dueAt: new Date(Date.now() + context.rules.collectSeconds * 1000),
  });
  return { did: `repairs ${check.name} on #${pull.number}` };
}

/** A check that fails by chance needs no repair. Returns whether it runs again. */
async function rerunOnce({ dependencies }: EventContext, failed: FailedCheck): Promise<boolean> {
  const { client, repository, check } = failed;
  const { database } = dependencies;
  const cursor = `rerun:${repository}:${check.head_sha}:${check.name}`.slice(0, 500);
  const before = await database.forgeEvents.readCursor(cursor);
  if (before !== undefined && before !== String(check.id)) return false;
  await database.forgeEvents.writeCursor(cursor, String(check.id));
  try {
    const route = 'POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun';
    await client.request(route, { ...placeOf(repository), job_id: check.id });
    return true;
  } catch (error) {
    // It is no job of GitHub Actions, or Fettle may not run it again.
    if ([403, 404, 422].includes(statusOf(error) ?? 0)) return false;
    throw error;
  }
}

async function sayGivenUp(context: EventContext, { repository, pull, check }: FailedCheck): Promise<void> {
  const key = `given-up:${check.id}:${check.completed_at}`;
  const text = `The check \`${check.name.replaceAll('`', '')}\` still fails. Fettle tried to repair failed checks ${maxRepairs} times, which is the limit, and leaves this one to you. A review with requested changes starts it again.`;
  await context.dependencies.database.replies.add({
    ...{ key, kind: 'comment', number: pull.number, body: `${markerFor(key)}\n${text}` },
    repositoryId: await repositoryIdOf(context, repository),
  });
}
