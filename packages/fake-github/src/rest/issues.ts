import { z } from 'zod';
import {
  addAssignees,
  addLabels,
  editIssue,
  openIssue,
  removeAssignees,
  removeLabel,
  setIssueState,
  setLabels,
} from '../changes/issues.ts';
import { created, type Endpoint, ok, repositoryRoute } from '../http/endpoint.ts';
import { paginate } from '../http/paginate.ts';
import { issueShape, labelShape } from '../shapes/issue.ts';
import { requireIssue } from '../state/find.ts';
import type { Account, Issue, Permissions } from '../state/model.ts';
import type { World } from '../state/world.ts';

export const issueNeeds: Record<'read' | 'write', Permissions[]> = {
  read: [{ issues: 'read' }, { pull_requests: 'read' }],
  write: [{ issues: 'write' }, { pull_requests: 'write' }],
};

const labelNames = z.array(
  z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]),
);
const labelsBody = z.union([
  z.object({ labels: labelNames.default([]) }),
  labelNames.transform((labels) => ({ labels })),
]);
const assigneesBody = z.object({ assignees: z.array(z.string()).default([]) });

export const issueEndpoints: Endpoint[] = [
  repositoryRoute({
    method: 'GET',
    path: '/issues',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, ...call }) => {
      const { state = 'open', labels } = call.query;
      const wanted = labels?.split(',') ?? [];
      const issues = [...repository.issues.values()]
        .filter((each) => state === 'all' || each.state === state)
        .filter((each) => wanted.every((name) => each.labels.some((label) => label.name === name)));
      return paginate(call, issues.reverse(), (issue) => issueShape(world, repository, issue));
    },
  }),
  repositoryRoute({
    method: 'POST',
    path: '/issues',
    needs: { issues: 'write' },
    role: 'read',
    body: z.object({
      title: z.coerce.string(),
      body: z.string().nullish(),
      labels: labelNames.default([]),
      assignees: z.array(z.string()).default([]),
    }),
    run: ({ place, body: { title, body, labels, assignees } }) => {
      const { world, repository } = place;
      const content = { title, body: body ?? undefined, labels, assignees: accountsOf(world, assignees) };
      return created(issueShape(world, repository, openIssue(place, content)));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/issues/{issue_number}',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, params }) =>
      ok(issueShape(world, repository, requireIssue(repository, Number(params.issue_number)))),
  }),
  repositoryRoute({
    method: 'PATCH',
    path: '/issues/{issue_number}',
    needs: issueNeeds.write,
    body: z.object({
      title: z.string().optional(),
      body: z.string().nullish(),
      state: z.enum(['open', 'closed']).optional(),
      state_reason: z.enum(['completed', 'not_planned', 'reopened']).nullish(),
      labels: labelNames.optional(),
      assignees: z.array(z.string()).optional(),
    }),
    run: ({ place, params, body }) => {
      const { world, repository } = place;
      const issue = requireIssue(repository, Number(params.issue_number));
      editIssue(place, issue, { title: body.title, body: body.body ?? undefined });
      if (body.labels) setLabels(place, issue, body.labels);
      if (body.assignees) setAssignees(place, issue, body.assignees);
      if (body.state) setIssueState(place, issue, body.state, body.state_reason ?? undefined);
      return ok(issueShape(world, repository, issue));
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/labels',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, ...call }) =>
      paginate(call, [...repository.labels.values()], (label) => labelShape(world, repository, label)),
  }),
  repositoryRoute({
    method: 'GET',
    path: '/issues/{issue_number}/labels',
    needs: issueNeeds.read,
    run: ({ place: { world, repository }, params, ...call }) => {
      const { labels } = requireIssue(repository, Number(params.issue_number));
      return paginate(call, labels, (label) => labelShape(world, repository, label));
    },
  }),
  ...(['POST', 'PUT'] as const).map((method) =>
    repositoryRoute({
      method,
      path: '/issues/{issue_number}/labels',
      needs: issueNeeds.write,
      role: 'triage',
      body: labelsBody,
      run: ({ place, params, body: { labels } }) => {
        const issue = requireIssue(place.repository, Number(params.issue_number));
        if (method === 'POST') addLabels(place, issue, labels);
        else setLabels(place, issue, labels);
        return ok(issue.labels.map((label) => labelShape(place.world, place.repository, label)));
      },
    }),
  ),
  repositoryRoute({
    method: 'DELETE',
    path: '/issues/{issue_number}/labels/{name}',
    needs: issueNeeds.write,
    role: 'triage',
    run: ({ place, params }) => {
      const issue = requireIssue(place.repository, Number(params.issue_number));
      removeLabel(place, issue, params.name ?? '');
      return ok(issue.labels.map((label) => labelShape(place.world, place.repository, label)));
    },
  }),
  ...(['POST', 'DELETE'] as const).map((method) =>
    repositoryRoute({
      method,
      path: '/issues/{issue_number}/assignees',
      needs: issueNeeds.write,
      role: 'triage',
      body: assigneesBody,
      run: ({ place, params, body }) => {
        const { world, repository } = place;
        const issue = requireIssue(repository, Number(params.issue_number));
        const change = method === 'POST' ? addAssignees : removeAssignees;
        change(place, issue, accountsOf(world, body.assignees));
        return { status: method === 'POST' ? 201 : 200, body: issueShape(world, repository, issue) };
      },
    }),
  ),
];

function setAssignees(place: Parameters<typeof addAssignees>[0], issue: Issue, logins: string[]): void {
  const wanted = accountsOf(place.world, logins);
  removeAssignees(
    place,
    issue,
    issue.assignees.filter((each) => !wanted.includes(each)),
  );
  addAssignees(place, issue, wanted);
}

export function accountsOf(world: World, logins: readonly string[]): Account[] {
  return logins.flatMap((login) => world.accounts.get(login.toLowerCase()) ?? []);
}
