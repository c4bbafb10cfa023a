import { listPulls } from '../state/find.ts';
import type {
  Annotation,
  CheckRun,
  CheckSuite,
  CommitStatus,
  Repository,
  WorkflowRun,
} from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';
import { accountShape } from './account.ts';
import { appShape } from './app.ts';
import { minimalPullShape } from './pull.ts';
import { repositoryPage, repositoryShape, repositoryUrl } from './repository.ts';

export function checkRunShape(world: World, repository: Repository, suite: CheckSuite, run: CheckRun) {
  const url = `${repositoryUrl(world, repository)}/check-runs/${run.id}`;
  const page = run.job
    ? `${repositoryPage(world, repository)}/actions/runs/${run.job.workflowRunId}/job/${run.id}`
    : `${repositoryPage(world, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status: run.status,
    conclusion: run.conclusion ?? null,
    started_at: run.startedAt,
    completed_at: run.completedAt ?? null,
    output: {
      title: run.output.title ?? null,
      summary: run.output.summary ?? null,
      text: run.output.text ?? null,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: suite.id },
    app: appShape(world, suite.app),
    pull_requests: pullsOf(world, repository, run.headSha),
  };
}

export function checkRunEventShape(world: World, repository: Repository, suite: CheckSuite, run: CheckRun) {
  return {
    ...checkRunShape(world, repository, suite, run),
    check_suite: {
      id: suite.id,
      node_id: nodeId('CS', suite.id),
      head_branch: suite.headBranch,
      head_sha: suite.headSha,
      ...suiteState(suite),
      url: `${repositoryUrl(world, repository)}/check-suites/${suite.id}`,
      before: suite.beforeSha ?? null,
      after: suite.headSha,
      pull_requests: pullsOf(world, repository, suite.headSha),
      app: appShape(world, suite.app),
      created_at: suite.createdAt,
      updated_at: suite.updatedAt,
    },
  };
}

function pullsOf(world: World, repository: Repository, sha: string) {
  return listPulls(repository)
    .filter(({ state, pull }) => state === 'open' && pull.head.sha === sha)
    .map((each) => minimalPullShape(world, repository, each));
}

const worstFirst = ['failure', 'timed_out', 'action_required', 'cancelled', 'stale'] as const;

/** The state of a suite follows from its latest runs. */
export function suiteState(suite: CheckSuite): { status: string; conclusion: string | null } {
  const runs = suite.runs.filter(({ isReplaced }) => !isReplaced);
  if (runs.length === 0) return { status: 'queued', conclusion: null };
  if (runs.some(({ status }) => status !== 'completed')) return { status: 'in_progress', conclusion: null };
  const conclusion = worstFirst.find((each) => runs.some((run) => run.conclusion === each));
  return { status: 'completed', conclusion: conclusion ?? 'success' };
}

/** `headCommit` comes from git. */
export function checkSuiteShape(
  world: World,
  repository: Repository,
  suite: CheckSuite,
  headCommit: Record<string, unknown>,
) {
  const url = `${repositoryUrl(world, repository)}/check-suites/${suite.id}`;
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...suiteState(suite),
    url,
    before: suite.beforeSha ?? null,
    after: suite.headSha,
    pull_requests: pullsOf(world, repository, suite.headSha),
    app: appShape(world, suite.app),
    repository: repositoryShape(world, repository),
    created_at: suite.createdAt,
    updated_at: suite.updatedAt,
    head_commit: headCommit,
    latest_check_runs_count: suite.runs.filter(({ isReplaced }) => !isReplaced).length,
    check_runs_url: `${url}/check-runs`,
    rerequestable: true,
    runs_rerequestable: true,
  };
}

export function annotationShape(world: World, repository: Repository, run: CheckRun, annotation: Annotation) {
  const page = repositoryPage(world, repository);
  return {
    path: annotation.path,
    blob_href: `${page}/blob/${run.headSha}/${annotation.path}`,
    start_line: annotation.start_line,
    end_line: annotation.end_line,
    start_column: annotation.start_column ?? null,
    end_column: annotation.end_column ?? null,
    annotation_level: annotation.annotation_level,
    title: annotation.title ?? null,
    message: annotation.message,
    raw_details: annotation.raw_details ?? null,
  };
}

export function statusShape(world: World, repository: Repository, status: CommitStatus) {
  return {
    url: `${repositoryUrl(world, repository)}/statuses/${status.sha}`,
    avatar_url: `${world.url}/avatars/u/${status.creator.id}`,
    id: status.id,
    node_id: nodeId('SC', status.id),
    state: status.state,
    description: status.description ?? null,
    target_url: status.targetUrl ?? null,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: accountShape(world, status.creator),
  };
}

export function jobShape(world: World, repository: Repository, workflow: WorkflowRun, run: CheckRun) {
  const base = repositoryUrl(world, repository);
  return {
    id: run.id,
    run_id: workflow.id,
    workflow_name: workflow.name,
    head_branch: workflow.headBranch,
    run_url: `${base}/actions/runs/${workflow.id}`,
    run_attempt: workflow.attempt,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    url: `${base}/actions/jobs/${run.id}`,
    html_url: `${repositoryPage(world, repository)}/actions/runs/${workflow.id}/job/${run.id}`,
    status: run.status,
    conclusion: run.conclusion ?? null,
    created_at: run.startedAt,
    started_at: run.startedAt,
    completed_at: run.completedAt ?? null,
    name: run.name,
    steps: [],
    check_run_url: `${base}/check-runs/${run.id}`,
    labels: ['ubuntu-latest'],
    runner_id: 1,
    runner_name: 'GitHub Actions 1',
    runner_group_id: 1,
    runner_group_name: 'GitHub Actions',
  };
}
