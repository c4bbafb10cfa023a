import { randomUUID } from 'node:crypto';
import { jobsOf, rerunJobs } from '../changes/workflows.ts';
import { readCommit } from '../git/commits.ts';
import { notFound } from '../http/api-error.ts';
import { created, type Endpoint, ok, type RepositoryCall, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { jobShape, suiteState } from '../shapes/check.ts';
import { simpleCommitShape } from '../shapes/commit.ts';
import { repositoryPage, repositoryShape, repositoryUrl } from '../shapes/repository.ts';
import { requireCheckRun } from '../state/find.ts';
import type { CheckRun, Repository, WorkflowRun } from '../state/model.ts';
import { nodeId, type World } from '../state/world.ts';

const read = { actions: 'read' } as const;
const write = { actions: 'write' } as const;

/** Short-lived addresses of logs. `jobLogs` maps the code of such an address to the text. */
export function actionEndpoints(jobLogs: Map<string, string>): Endpoint[] {
  return [
    repositoryRoute({
      method: 'GET',
      path: '/actions/runs',
      needs: read,
      run: async ({ place: { world, repository }, ...call }) => {
        const { head_sha, branch } = call.query;
        const runs = repository.workflowRuns
          .filter((each) => head_sha === undefined || each.headSha === head_sha)
          .filter((each) => branch === undefined || each.headBranch === branch);
        const shapes = await Promise.all(runs.map((each) => workflowRunShape(world, repository, each)));
        return paginate(
          call,
          shapes.reverse(),
          (each) => each,
          (workflow_runs, total_count) => ({ total_count, workflow_runs }),
        );
      },
    }),
    repositoryRoute({
      method: 'GET',
      path: '/actions/runs/{run_id}',
      needs: read,
      run: async ({ place: { world, repository }, params }) =>
        ok(await workflowRunShape(world, repository, requireRun(repository, params.run_id))),
    }),
    repositoryRoute({
      method: 'GET',
      path: '/actions/runs/{run_id}/jobs',
      needs: read,
      run: ({ place, params, ...call }) => {
        const workflow = requireRun(place.repository, params.run_id);
        const { filter = 'latest' } = call.query;
        const jobs = jobsOf(place, workflow).filter(({ isReplaced }) => filter === 'all' || !isReplaced);
        const shape = (run: CheckRun) => jobShape(place.world, place.repository, workflow, run);
        return paginate(call, jobs, shape, (page, total_count) => ({ total_count, jobs: page }));
      },
    }),
    repositoryRoute({
      method: 'GET',
      path: '/actions/jobs/{job_id}',
      needs: read,
      run: (call) => {
        const { workflow, run } = requireJob(call);
        return ok(jobShape(call.place.world, call.place.repository, workflow, run));
      },
    }),
    repositoryRoute({
      method: 'GET',
      path: '/actions/jobs/{job_id}/logs',
      needs: read,
      run: (call) => {
        const { run } = requireJob(call);
        // GitHub has no log before the job ends.
        if (run.status !== 'completed') throw notFound();
        const code = randomUUID();
        jobLogs.set(code, run.job?.log ?? '');
        return { status: 302, headers: { location: `${call.place.world.url}/logs/${code}` } };
      },
    }),
    repositoryRoute({
      method: 'POST',
      path: '/actions/runs/{run_id}/rerun-failed-jobs',
      needs: write,
      run: async ({ place, params }) => {
        const workflow = requireRun(place.repository, params.run_id);
        const failed = jobsOf(place, workflow).filter(
          ({ isReplaced, conclusion }) => !isReplaced && conclusion !== undefined && conclusion !== 'success',
        );
        await rerunJobs(place, workflow, failed);
        return created({});
      },
    }),
    repositoryRoute({
      method: 'POST',
      path: '/actions/jobs/{job_id}/rerun',
      needs: write,
      run: async (call) => {
        const { workflow, run } = requireJob(call);
        await rerunJobs(call.place, workflow, [run]);
        return created({});
      },
    }),
  ];
}

function requireRun(repository: Repository, id: string | undefined): WorkflowRun {
  const run = repository.workflowRuns.find((each) => each.id === Number(id));
  if (!run) throw notFound();
  return run;
}

function requireJob({ place: { repository }, params }: RepositoryCall): {
  workflow: WorkflowRun;
  run: CheckRun;
} {
  const { run } = requireCheckRun(repository, Number(params.job_id));
  if (!run.job) throw notFound();
  return { workflow: requireRun(repository, String(run.job.workflowRunId)), run };
}

async function workflowRunShape(world: World, repository: Repository, workflow: WorkflowRun) {
  const base = repositoryUrl(world, repository);
  const url = `${base}/actions/runs/${workflow.id}`;
  const suite = repository.suites.find(({ id }) => id === workflow.suiteId);
  const commit = await readCommit(repository.folder, workflow.headSha);
  return {
    id: workflow.id,
    name: workflow.name,
    node_id: nodeId('WFR', workflow.id),
    check_suite_id: workflow.suiteId,
    check_suite_node_id: nodeId('CS', workflow.suiteId),
    head_branch: workflow.headBranch,
    head_sha: workflow.headSha,
    path: '.github/workflows/ci.yml',
    run_number: workflow.number,
    run_attempt: workflow.attempt,
    event: 'push',
    ...(suite ? suiteState(suite) : { status: 'queued', conclusion: null }),
    workflow_id: 1,
    url,
    html_url: `${repositoryPage(world, repository)}/actions/runs/${workflow.id}`,
    pull_requests: [],
    created_at: workflow.createdAt,
    updated_at: suite?.updatedAt ?? workflow.createdAt,
    run_started_at: workflow.createdAt,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${base}/check-suites/${workflow.suiteId}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: null,
    workflow_url: `${base}/actions/workflows/1`,
    head_commit: simpleCommitShape(commit),
    repository: repositoryShape(world, repository),
    head_repository: repositoryShape(world, repository),
    display_title: commit.message.split('\n')[0] ?? '',
  };
}
