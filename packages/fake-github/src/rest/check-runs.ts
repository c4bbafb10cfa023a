import { z } from 'zod';
import {
  type CheckContent,
  createCheckRun,
  emitRun,
  rerequestSuite,
  suiteOf,
  updateCheckRun,
} from '../changes/checks.ts';
import type { Place } from '../changes/place.ts';
import { readCommit } from '../git/commits.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { created, type Endpoint, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { annotationShape, checkRunShape, checkSuiteShape } from '../shapes/check.ts';
import { simpleCommitShape } from '../shapes/commit.ts';
import { requireCheckRun } from '../state/find.ts';
import type { App, CheckSuite, Repository } from '../state/model.ts';
import { requireCommit } from './commits.ts';

const read = { checks: 'read' } as const;
const write = { checks: 'write' } as const;

const annotationSchema = z.object({
  path: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  start_column: z.number().int().optional(),
  end_column: z.number().int().optional(),
  annotation_level: z.enum(['notice', 'warning', 'failure']),
  message: z.string(),
  title: z.string().optional(),
  raw_details: z.string().optional(),
});

const contentSchema = z.object({
  details_url: z.string().optional(),
  external_id: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  started_at: z.iso.datetime().optional(),
  completed_at: z.iso.datetime().optional(),
  conclusion: z
    .enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'])
    .optional(),
  output: z
    .object({
      title: z.string().optional(),
      summary: z.string(),
      text: z.string().optional(),
      annotations: z.array(annotationSchema).default([]),
    })
    .optional(),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .optional(),
});

export const checkRunEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'POST',
    path: '/check-runs',
    needs: write,
    body: contentSchema.extend({ name: z.string(), head_sha: z.string() }),
    run: async ({ place, body }) => {
      const app = requireChecksApp(place);
      const content = { name: body.name, headSha: body.head_sha, ...contentOf(body) };
      const { suite, run } = await createCheckRun(place, app, content);
      return created(checkRunShape(place.world, place.repository, suite, run));
    },
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/check-runs/{check_run_id}',
    needs: write,
    body: contentSchema.extend({ name: z.string().optional() }),
    run: async ({ place, params, body }) => {
      const found = requireCheckRun(place.repository, Number(params.check_run_id));
      if (found.suite.app !== requireChecksApp(place))
        throw new ApiError(
          403,
          'Invalid app_id `' +
            place.actor.app?.id +
            '` - check run can only be modified by the GitHub App that created it.',
        );
      await updateCheckRun(place, found, { name: body.name, ...contentOf(body) });
      return ok(checkRunShape(place.world, place.repository, found.suite, found.run));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/check-runs/{check_run_id}',
    needs: read,
    run: ({ place: { world, repository }, params }) => {
      const { suite, run } = requireCheckRun(repository, Number(params.check_run_id));
      return ok(checkRunShape(world, repository, suite, run));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/check-runs/{check_run_id}/annotations',
    needs: read,
    run: ({ place: { world, repository }, params, ...call }) => {
      const { run } = requireCheckRun(repository, Number(params.check_run_id));
      return paginate(call, run.annotations, (each) => annotationShape(world, repository, run, each));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/check-runs/{check_run_id}/rerequest',
    needs: write,
    run: ({ place, params }) => {
      const { suite, run } = requireCheckRun(place.repository, Number(params.check_run_id));
      if (suite.app !== place.actor.app) throw new ApiError(403, 'This check run is not rerequestable');
      emitRun(place, suite, run, 'rerequested');
      return created({});
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/commits/{ref}/check-runs',
    needs: read,
    run: async ({ place: { world, repository }, params: { ref = '' }, ...call }) => {
      const sha = await requireCommit(repository, ref);
      const { check_name, status, filter = 'latest', app_id } = call.query;
      const runs = repository.suites
        .filter((suite) => suite.headSha === sha && (app_id === undefined || suite.app.id === Number(app_id)))
        .flatMap((suite) => suite.runs.map((run) => ({ suite, run })))
        .filter(({ run }) => check_name === undefined || run.name === check_name)
        .filter(({ run }) => status === undefined || run.status === status)
        .filter(({ run }) => filter === 'all' || !run.isReplaced);
      const shape = ({ suite, run }: (typeof runs)[number]) => checkRunShape(world, repository, suite, run);
      return paginate(call, runs, shape, (check_runs, total_count) => ({ total_count, check_runs }));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/commits/{ref}/check-suites',
    needs: read,
    run: async ({ place: { world, repository }, params: { ref = '' }, ...call }) => {
      const sha = await requireCommit(repository, ref);
      const commit = simpleCommitShape(await readCommit(repository.folder, sha));
      const suites = repository.suites.filter(({ headSha }) => headSha === sha);
      const shape = (suite: CheckSuite) => checkSuiteShape(world, repository, suite, commit);
      return paginate(call, suites, shape, (check_suites, total_count) => ({ total_count, check_suites }));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/check-suites',
    needs: write,
    body: z.object({ head_sha: z.string() }),
    run: async ({ place, body: { head_sha } }) => {
      const { world, repository } = place;
      const sha = await requireCommit(repository, head_sha);
      const app = requireChecksApp(place);
      const isKnown = repository.suites.some((each) => each.app === app && each.headSha === sha);
      const suite = suiteOf(place, app, { sha });
      const commit = simpleCommitShape(await readCommit(repository.folder, sha));
      return { status: isKnown ? 200 : 201, body: checkSuiteShape(world, repository, suite, commit) };
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/check-suites/{check_suite_id}',
    needs: read,
    run: async ({ place: { world, repository }, params }) => {
      const suite = requireSuite(repository, params.check_suite_id);
      const commit = simpleCommitShape(await readCommit(repository.folder, suite.headSha));
      return ok(checkSuiteShape(world, repository, suite, commit));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/check-suites/{check_suite_id}/rerequest',
    needs: write,
    run: async ({ place, params }) => {
      await rerequestSuite(place, requireSuite(place.repository, params.check_suite_id));
      return created({});
    },
  }),
];

function requireSuite(repository: Repository, id: string | undefined): CheckSuite {
  const suite = repository.suites.find((each) => each.id === Number(id));
  if (!suite) throw notFound();
  return suite;
}

/** Personal tokens cannot write checks. */
function requireChecksApp({ actor }: Place): App {
  if (!actor.app) throw new ApiError(403, 'You must authenticate via a GitHub App.');
  return actor.app;
}

function contentOf(body: z.infer<typeof contentSchema>): CheckContent {
  const { output } = body;
  return {
    status: body.status,
    conclusion: body.conclusion,
    startedAt: body.started_at,
    completedAt: body.completed_at,
    detailsUrl: body.details_url,
    externalId: body.external_id,
    output: output && { title: output.title, summary: output.summary, text: output.text },
    annotations: output?.annotations,
    actions: body.actions,
  };
}
