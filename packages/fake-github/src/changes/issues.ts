import { ApiError, invalid } from '../http/api-error.ts';
import { accountShape } from '../shapes/account.ts';
import { issueEventShape, labelShape } from '../shapes/issue.ts';
import { fullPullShape } from '../shapes/pull.ts';
import { isPull } from '../state/find.ts';
import type { Account, Issue, Label, Repository } from '../state/model.ts';
import { emitHere, type Place } from './place.ts';

export function openIssue(
  place: Place,
  content: { title: string; body?: string | undefined; labels?: string[]; assignees?: Account[] },
): Issue {
  const issue = createIssue(place, content);
  emitHere(place, issueEvent(place, issue, 'opened'));
  addLabels(place, issue, content.labels ?? []);
  addAssignees(place, issue, content.assignees ?? []);
  return issue;
}

/** Pull requests are issues too. Sends no event. */
export function createIssue(
  { world, repository, actor }: Place,
  content: { title: string; body?: string | undefined },
): Issue {
  if (content.title.trim() === '')
    throw invalid({ resource: 'Issue', field: 'title', code: 'missing_field' });
  const number = repository.issues.size + 1;
  const now = world.now();
  const issue: Issue = {
    id: world.nextId(),
    number,
    title: content.title,
    body: content.body,
    author: actor,
    state: 'open',
    stateReason: undefined,
    labels: [],
    assignees: [],
    comments: [],
    reactions: [],
    isLocked: false,
    createdAt: now,
    updatedAt: now,
    closedAt: undefined,
    closedBy: undefined,
  };
  repository.issues.set(number, issue);
  return issue;
}

export function editIssue(
  place: Place,
  issue: Issue,
  change: { title?: string | undefined; body?: string | undefined },
): void {
  const changes: Record<string, { from: string }> = {};
  if (change.title !== undefined && change.title !== issue.title) changes.title = { from: issue.title };
  if (change.body !== undefined && change.body !== (issue.body ?? ''))
    changes.body = { from: issue.body ?? '' };
  if (Object.keys(changes).length === 0) return;
  issue.title = change.title ?? issue.title;
  issue.body = change.body ?? issue.body;
  issue.updatedAt = place.world.now();
  emitHere(place, issueEvent(place, issue, 'edited', { changes }));
}

export function setIssueState(
  place: Place,
  issue: Issue,
  state: Issue['state'],
  reason: Issue['stateReason'] = state === 'closed' ? 'completed' : 'reopened',
): void {
  if (issue.state === state) return;
  const now = place.world.now();
  issue.state = state;
  issue.updatedAt = now;
  issue.stateReason = isPull(issue) ? undefined : reason;
  issue.closedAt = state === 'closed' ? now : undefined;
  issue.closedBy = state === 'closed' ? place.actor.account : undefined;
  emitHere(place, issueEvent(place, issue, state === 'closed' ? 'closed' : 'reopened'));
}

export function addLabels(place: Place, issue: Issue, names: readonly string[]): void {
  for (const name of names) {
    if (issue.labels.some((each) => each.name === name)) continue;
    const label = labelNamed(place, name);
    issue.labels.push(label);
    touch(place, issue);
    emitHere(
      place,
      issueEvent(place, issue, 'labeled', { label: labelShape(place.world, place.repository, label) }),
    );
  }
}

export function removeLabel(place: Place, issue: Issue, name: string): void {
  const label = issue.labels.find((each) => each.name === name);
  if (!label) throw new ApiError(404, 'Label does not exist');
  issue.labels = issue.labels.filter((each) => each !== label);
  touch(place, issue);
  emitHere(
    place,
    issueEvent(place, issue, 'unlabeled', { label: labelShape(place.world, place.repository, label) }),
  );
}

export function setLabels(place: Place, issue: Issue, names: readonly string[]): void {
  for (const { name } of issue.labels) if (!names.includes(name)) removeLabel(place, issue, name);
  addLabels(place, issue, names);
}

/** GitHub creates labels that do not exist yet. */
function labelNamed({ world, repository }: Place, name: string): Label {
  const known = findLabel(repository, name);
  if (known) return known;
  const label: Label = { id: world.nextId(), name, color: 'ededed', description: undefined };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

function findLabel(repository: Repository, name: string): Label | undefined {
  return repository.labels.get(name.toLowerCase());
}

/** People without access to the repository cannot be assigned. GitHub ignores them. */
export function addAssignees(place: Place, issue: Issue, accounts: readonly Account[]): void {
  for (const account of accounts) {
    const canBeAssigned = place.repository.roles.has(account.login) || place.repository.owner === account;
    if (!canBeAssigned || issue.assignees.includes(account)) continue;
    issue.assignees.push(account);
    touch(place, issue);
    const assignee = accountShape(place.world, account);
    emitHere(place, issueEvent(place, issue, 'assigned', { assignee }));
  }
}

export function removeAssignees(place: Place, issue: Issue, accounts: readonly Account[]): void {
  for (const account of accounts) {
    if (!issue.assignees.includes(account)) continue;
    issue.assignees = issue.assignees.filter((each) => each !== account);
    touch(place, issue);
    const assignee = accountShape(place.world, account);
    emitHere(place, issueEvent(place, issue, 'unassigned', { assignee }));
  }
}

function touch({ world }: Place, issue: Issue): void {
  issue.updatedAt = world.now();
}

/** The event `issues`, or `pull_request` for a pull request. */
export function issueEvent(
  { world, repository }: Place,
  issue: Issue,
  action: string,
  extra: Record<string, unknown> = {},
) {
  if (!isPull(issue))
    return {
      name: 'issues',
      action,
      payload: { issue: issueEventShape(world, repository, issue), ...extra },
    };
  const { number } = issue;
  return {
    name: 'pull_request',
    action,
    payload: { number, pull_request: fullPullShape(world, repository, issue), ...extra },
  };
}
