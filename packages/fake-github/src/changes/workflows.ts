/** GitHub Actions as far as checks need it: runs with jobs and logs, started by people through `completeCheck`. */
import { ApiError } from '../http/api-error.ts';
import type { App, CheckRun, WorkflowRun } from '../state/model.ts';
import { type CheckContent, createCheckRun, suiteOf } from './checks.ts';
import type { Place } from './place.ts';

export async function createJob(
  place: Place,
  actions: App,
  job: { name: string; headSha: string; log: string } & CheckContent,
): Promise<CheckRun> {
  const workflow = workflowRunOf(place, actions, job.headSha);
  const { run } = await createCheckRun(place, actions, job, { workflowRunId: workflow.id, log: job.log });
  return run;
}

/** One workflow run for each commit. */
function workflowRunOf(place: Place, actions: App, sha: string): WorkflowRun {
  const { world, repository } = place;
  const known = repository.workflowRuns.find(({ headSha }) => headSha === sha);
  if (known) return known;
  const suite = suiteOf(place, actions, { sha });
  const workflow: WorkflowRun = {
    id: world.nextId(),
    number: repository.workflowRuns.length + 1,
    attempt: 1,
    name: 'CI',
    headSha: sha,
    headBranch: suite.headBranch,
    suiteId: suite.id,
    createdAt: world.now(),
  };
  repository.workflowRuns.push(workflow);
  return workflow;
}

export function jobsOf({ repository }: Pick<Place, 'repository'>, workflow: WorkflowRun): CheckRun[] {
  return repository.suites
    .flatMap(({ runs }) => runs)
    .filter(({ job }) => job?.workflowRunId === workflow.id);
}

/** Replaces failed jobs with queued ones, which somebody has to complete again. */
export async function rerunJobs(
  place: Place,
  workflow: WorkflowRun,
  jobs: readonly CheckRun[],
): Promise<void> {
  const { repository } = place;
  const suite = repository.suites.find(({ id }) => id === workflow.suiteId);
  if (!suite || jobs.length === 0) throw new ApiError(403, 'This workflow run has no failed jobs to rerun');
  if (jobsOf(place, workflow).some(({ status, isReplaced }) => !isReplaced && status !== 'completed'))
    throw new ApiError(403, 'The workflow run is already running');
  workflow.attempt += 1;
  for (const old of jobs) {
    old.isReplaced = true;
    const job = { workflowRunId: workflow.id, log: '' };
    await createCheckRun(
      { ...place, actor: { account: suite.app.bot, app: suite.app } },
      suite.app,
      { name: old.name, headSha: old.headSha },
      job,
    );
  }
}
