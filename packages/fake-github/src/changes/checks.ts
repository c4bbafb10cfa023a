import { readCommit } from '../git/commits.ts';
import { resolveCommit } from '../git/refs.ts';
import { ApiError, invalid, notFound } from '../http/api-error.ts';
import { checkRunEventShape, checkSuiteShape, suiteState } from '../shapes/check.ts';
import { simpleCommitShape } from '../shapes/commit.ts';
import { listPulls } from '../state/find.ts';
import type { Annotation, App, CheckRun, CheckStatus, CheckSuite, Conclusion } from '../state/model.ts';
import { emitHere, type Place } from './place.ts';

export interface CheckContent {
  status?: CheckStatus | undefined;
  conclusion?: Conclusion | undefined;
  startedAt?: string | undefined;
  completedAt?: string | undefined;
  detailsUrl?: string | undefined;
  externalId?: string | undefined;
  output?:
    | { title?: string | undefined; summary?: string | undefined; text?: string | undefined }
    | undefined;
  annotations?: Annotation[] | undefined;
  actions?: CheckRun['actions'] | undefined;
}

const maxAnnotations = 50;
const maxTextLength = 65_535;

/** GitHub creates a suite for each App with `checks: write` when a branch is pushed. */
export async function requestCheckSuites(
  place: Place,
  head: { sha: string; branch: string; before: string | undefined },
): Promise<void> {
  const { world, repository } = place;
  for (const { app, permissions, repositoryIds, suspendedAt } of world.installations) {
    const covers = repositoryIds === 'all' || repositoryIds.has(repository.id);
    if (!covers || suspendedAt !== undefined || permissions.checks !== 'write') continue;
    const suite = suiteOf(place, app, head);
    await emitSuite(place, suite, 'requested', app);
  }
}

/** Finds the suite of an App for a commit, or creates it. */
export function suiteOf(
  { world, repository }: Place,
  app: App,
  head: { sha: string; branch?: string; before?: string | undefined },
): CheckSuite {
  const known = repository.suites.find((each) => each.app === app && each.headSha === head.sha);
  if (known) return known;
  const pull = listPulls(repository).find((each) => each.pull.head.sha === head.sha);
  const now = world.now();
  const suite: CheckSuite = {
    id: world.nextId(),
    app,
    headSha: head.sha,
    headBranch: head.branch ?? pull?.pull.head.branch ?? repository.defaultBranch,
    beforeSha: head.before,
    createdAt: now,
    updatedAt: now,
    runs: [],
  };
  repository.suites.push(suite);
  return suite;
}

export async function createCheckRun(
  place: Place,
  app: App,
  run: { name: string; headSha: string } & CheckContent,
  job?: CheckRun['job'],
): Promise<{ suite: CheckSuite; run: CheckRun }> {
  const { world, repository } = place;
  const sha = await resolveCommit(repository.folder, run.headSha);
  if (sha === undefined || sha !== run.headSha)
    throw new ApiError(422, `No commit found for SHA: ${run.headSha}`);
  checkContent(run);
  const suite = suiteOf(place, app, { sha });
  const created: CheckRun = {
    id: world.nextId(),
    name: run.name,
    headSha: sha,
    status: 'queued',
    conclusion: undefined,
    startedAt: run.startedAt ?? world.now(),
    completedAt: undefined,
    detailsUrl: undefined,
    externalId: '',
    output: { title: undefined, summary: undefined, text: undefined },
    annotations: [],
    actions: [],
    job,
    isReplaced: false,
  };
  suite.runs.push(created);
  fill(place, suite, created, run);
  emitRun(place, suite, created, 'created');
  if (created.status === 'completed') await announceCompletion(place, suite, created);
  return { suite, run: created };
}

export async function updateCheckRun(
  place: Place,
  { suite, run }: { suite: CheckSuite; run: CheckRun },
  content: CheckContent & { name?: string | undefined },
): Promise<void> {
  checkContent(content);
  const wasCompleted = run.status === 'completed';
  run.name = content.name ?? run.name;
  fill(place, suite, run, content);
  if (run.status === 'completed' && !wasCompleted) await announceCompletion(place, suite, run);
}

function checkContent({ status, conclusion, annotations = [], output, actions = [] }: CheckContent): void {
  const problem = (field: string, message: string) =>
    invalid({ resource: 'CheckRun', field, code: 'custom', message });
  if (status === 'completed' && conclusion === undefined)
    throw problem('conclusion', 'conclusion is required if status is completed');
  if (annotations.length > maxAnnotations)
    throw problem('annotations', `No more than ${maxAnnotations} annotations are allowed per request`);
  for (const name of ['summary', 'text'] as const)
    if ((output?.[name]?.length ?? 0) > maxTextLength)
      throw problem(name, `Only ${maxTextLength} characters are allowed`);
  if (actions.length > 3) throw problem('actions', 'No more than 3 actions are allowed');
}

function fill({ world }: Place, suite: CheckSuite, run: CheckRun, content: CheckContent): void {
  run.status = content.conclusion === undefined ? (content.status ?? run.status) : 'completed';
  run.conclusion = run.status === 'completed' ? (content.conclusion ?? run.conclusion) : undefined;
  run.startedAt = content.startedAt ?? run.startedAt;
  run.completedAt = run.status === 'completed' ? (content.completedAt ?? world.now()) : undefined;
  run.detailsUrl = content.detailsUrl ?? run.detailsUrl;
  run.externalId = content.externalId ?? run.externalId;
  run.actions = content.actions ?? run.actions;
  if (content.output) {
    const { title, summary, text } = content.output;
    run.output = { title, summary, text };
  }
  // GitHub adds the annotations of each request to the earlier ones.
  run.annotations.push(...(content.annotations ?? []));
  suite.updatedAt = world.now();
}

async function announceCompletion(place: Place, suite: CheckSuite, run: CheckRun): Promise<void> {
  emitRun(place, suite, run, 'completed');
  if (suiteState(suite).status === 'completed') await emitSuite(place, suite, 'completed');
}

export function emitRun(
  place: Place,
  suite: CheckSuite,
  run: CheckRun,
  action: 'created' | 'completed' | 'rerequested' | 'requested_action',
  extra: Record<string, unknown> = {},
): void {
  const check_run = checkRunEventShape(place.world, place.repository, suite, run);
  const isForOwner = action === 'rerequested' || action === 'requested_action';
  emitHere(place, {
    name: 'check_run',
    action,
    payload: { check_run, ...extra },
    ...(isForOwner && { app: suite.app }),
  });
}

async function emitSuite(
  place: Place,
  suite: CheckSuite,
  action: 'requested' | 'rerequested' | 'completed',
  app?: App,
): Promise<void> {
  const { world, repository } = place;
  const commit = simpleCommitShape(await readCommit(repository.folder, suite.headSha));
  const { repository: _, ...check_suite } = checkSuiteShape(world, repository, suite, commit);
  emitHere(place, { name: 'check_suite', action, payload: { check_suite }, ...(app && { app }) });
}

/** Only the App that owns a suite may request it again. */
export async function rerequestSuite(place: Place, suite: CheckSuite): Promise<void> {
  if (place.actor.app !== suite.app) throw notFound();
  for (const run of suite.runs) run.isReplaced = true;
  await emitSuite(place, suite, 'rerequested', suite.app);
}
