/** A person acts as a user of GitHub, as in the browser or with git. GitHub sends the events that follow. */
import { moveBranches } from './changes/branches.ts';
import { type CheckContent, emitRun, updateCheckRun } from './changes/checks.ts';
import { addComment, deleteComment, editComment } from './changes/comments.ts';
import type { LineComment } from './changes/diff-hunks.ts';
import {
  addAssignees,
  addLabels,
  editIssue,
  openIssue,
  removeAssignees,
  removeLabel,
  setIssueState,
} from './changes/issues.ts';
import { identityOf, type MergeRequest, mergePull } from './changes/merge.ts';
import type { Place } from './changes/place.ts';
import { closePull, openPull, type PullContent, reopenPull, setDraft } from './changes/pulls.ts';
import { forkRepository, renameRepository, transferRepository } from './changes/repositories.ts';
import { addReview, type ReviewEvent, replyToComment, setThreadResolved } from './changes/reviews.ts';
import { createJob } from './changes/workflows.ts';
import { type FileChanges, writeCommit } from './git/commits.ts';
import { deleteRef, resolveCommit, updateRef } from './git/refs.ts';
import { notFound } from './http/api-error.ts';
import {
  fullName,
  type IssueAddress,
  requireAccount,
  requireCheckRun,
  requireIssue,
  requirePull,
  requireRepository,
} from './state/find.ts';
import type {
  Account,
  Annotation,
  App,
  CheckRun,
  Comment,
  Conclusion,
  Review,
  ReviewComment,
  Role,
} from './state/model.ts';
import type { World } from './state/world.ts';

export interface Person {
  account: Account;
  openIssue(repository: string, content: { title: string; body?: string; labels?: string[] }): IssueAddress;
  comment(issue: IssueAddress, body: string): Comment;
  editComment(issue: IssueAddress, id: number, body: string): void;
  deleteComment(issue: IssueAddress, id: number): void;
  label(issue: IssueAddress, ...names: string[]): void;
  unlabel(issue: IssueAddress, name: string): void;
  closeIssue(issue: IssueAddress): void;
  reopenIssue(issue: IssueAddress): void;
  openPullRequest(repository: string, content: PullContent): Promise<IssueAddress>;
  closePullRequest(pull: IssueAddress): void;
  reopenPullRequest(pull: IssueAddress): Promise<void>;
  convertToDraft(pull: IssueAddress): void;
  markReady(pull: IssueAddress): void;
  /** Returns the merge commit. */
  merge(pull: IssueAddress, request?: MergeRequest): Promise<string>;
  review(
    pull: IssueAddress,
    content: { event: ReviewEvent; body?: string; comments?: LineComment[] },
  ): Promise<Review>;
  /** `comment` is the id of the first comment of the thread. */
  reply(pull: IssueAddress, comment: number, body: string): ReviewComment;
  resolveThread(pull: IssueAddress, comment: number): void;
  unresolveThread(pull: IssueAddress, comment: number): void;
  /** Adds a commit to a branch, or creates the branch from `from` (default: the default branch). Returns the commit. */
  push(
    repository: string,
    branch: string,
    files: FileChanges,
    options?: { message?: string; from?: string; force?: boolean },
  ): Promise<string>;
  deleteBranch(repository: string, branch: string): Promise<void>;
  /** Completes a job of GitHub Actions on a commit or branch: the queued one with this name, or a new one. */
  completeCheck(repository: string, check: CompletedCheck): Promise<CheckRun>;
  /** Clicks "Re-run" on a check run. */
  rerequestCheck(repository: string, checkRunId: number): void;
  /** Clicks a button that a check run offers. */
  requestAction(repository: string, checkRunId: number, identifier: string): void;
  assign(issue: IssueAddress, login: string): void;
  unassign(issue: IssueAddress, login: string): void;
  editIssue(issue: IssueAddress, content: { title?: string; body?: string }): void;
  /** Returns `owner/name` of the fork. */
  fork(repository: string): Promise<string>;
  rename(repository: string, name: string): void;
  transfer(repository: string, owner: string): void;
  setRole(repository: string, login: string, role: Role | undefined): void;
}

export interface CompletedCheck {
  /** A commit or a branch. */
  on: string;
  name: string;
  conclusion: Conclusion;
  title?: string;
  summary?: string;
  annotations?: Annotation[];
  log?: string;
}

export function createPerson(world: World, account: Account): Person {
  const at = (name: string): Place => ({
    world,
    repository: requireRepository(world, name),
    actor: { account },
  });
  const onIssue = ({ repository, number }: IssueAddress) => {
    const place = at(repository);
    return { place, issue: requireIssue(place.repository, number) };
  };
  const onPull = ({ repository, number }: IssueAddress) => {
    const place = at(repository);
    return { place, issue: requirePull(place.repository, number) };
  };
  const onComment = (address: IssueAddress, id: number) => {
    const { place, issue } = onIssue(address);
    return { place, issue, comment: requireById(issue.comments, id) };
  };
  const onThread = (address: IssueAddress, id: number) => {
    const { place, issue } = onPull(address);
    return { place, issue, first: requireById(issue.pull.comments, id) };
  };
  return {
    account,
    openIssue(repository, content) {
      const { number } = openIssue(at(repository), content);
      return { repository, number };
    },
    comment(address, body) {
      const { place, issue } = onIssue(address);
      return addComment(place, issue, body);
    },
    editComment(address, id, body) {
      const { place, issue, comment } = onComment(address, id);
      editComment(place, issue, comment, body);
    },
    deleteComment(address, id) {
      const { place, issue, comment } = onComment(address, id);
      deleteComment(place, issue, comment);
    },
    label(address, ...names) {
      const { place, issue } = onIssue(address);
      addLabels(place, issue, names);
    },
    unlabel(address, name) {
      const { place, issue } = onIssue(address);
      removeLabel(place, issue, name);
    },
    closeIssue(address) {
      const { place, issue } = onIssue(address);
      setIssueState(place, issue, 'closed');
    },
    reopenIssue(address) {
      const { place, issue } = onIssue(address);
      setIssueState(place, issue, 'open');
    },
    async openPullRequest(repository, content) {
      const { number } = await openPull(at(repository), content);
      return { repository, number };
    },
    closePullRequest(address) {
      const { place, issue } = onPull(address);
      closePull(place, issue);
    },
    async reopenPullRequest(address) {
      const { place, issue } = onPull(address);
      await reopenPull(place, issue);
    },
    convertToDraft(address) {
      const { place, issue } = onPull(address);
      setDraft(place, issue, true);
    },
    markReady(address) {
      const { place, issue } = onPull(address);
      setDraft(place, issue, false);
    },
    async merge(address, request = {}) {
      const { place, issue } = onPull(address);
      return mergePull(place, issue, request);
    },
    async review(address, content) {
      const { place, issue } = onPull(address);
      return addReview(place, issue, content);
    },
    reply(address, id, body) {
      const { place, issue, first } = onThread(address, id);
      return replyToComment(place, issue, first, body);
    },
    resolveThread(address, id) {
      const { place, issue, first } = onThread(address, id);
      setThreadResolved(place, issue, first, true);
    },
    unresolveThread(address, id) {
      const { place, issue, first } = onThread(address, id);
      setThreadResolved(place, issue, first, false);
    },
    async push(name, branch, files, { message = 'A change', from, force = false } = {}) {
      const place = at(name);
      const { folder, defaultBranch } = place.repository;
      const ref = `refs/heads/${branch}`;
      return moveBranches(place, async () => {
        const current = await resolveCommit(folder, ref);
        const start = force && from !== undefined ? from : (current ?? from ?? defaultBranch);
        const parent = await resolveCommit(folder, start);
        const sha = await writeCommit(folder, { parent, files, message, author: identityOf(place.actor) });
        await updateRef(folder, ref, sha);
        return sha;
      });
    },
    async deleteBranch(name, branch) {
      const place = at(name);
      await moveBranches(place, () => deleteRef(place.repository.folder, `refs/heads/${branch}`));
    },
    completeCheck: (name, check) => completeCheck(at(name), check),
    rerequestCheck(name, id) {
      const place = at(name);
      const { suite, run } = requireCheckRun(place.repository, id);
      emitRun(place, suite, run, 'rerequested');
    },
    requestAction(name, id, identifier) {
      const place = at(name);
      const { suite, run } = requireCheckRun(place.repository, id);
      emitRun(place, suite, run, 'requested_action', { requested_action: { identifier } });
    },
    assign(address, login) {
      const { place, issue } = onIssue(address);
      addAssignees(place, issue, [requireAccount(world, login)]);
    },
    unassign(address, login) {
      const { place, issue } = onIssue(address);
      removeAssignees(place, issue, [requireAccount(world, login)]);
    },
    editIssue(address, content) {
      const { place, issue } = onIssue(address);
      editIssue(place, issue, content);
    },
    async fork(name) {
      return fullName(await forkRepository(world, requireRepository(world, name), account));
    },
    rename: (name, to) => renameRepository(world, requireRepository(world, name), to, account),
    transfer: (name, owner) =>
      transferRepository(world, requireRepository(world, name), requireAccount(world, owner), account),
    setRole(name, login, role) {
      const { roles } = requireRepository(world, name);
      if (role) roles.set(requireAccount(world, login).login, role);
      else roles.delete(requireAccount(world, login).login);
    },
  };
}

function requireById<T extends { id: number }>(items: readonly T[], id: number): T {
  const item = items.find((each) => each.id === id);
  if (!item) throw notFound();
  return item;
}

async function completeCheck(place: Place, check: CompletedCheck): Promise<CheckRun> {
  const { world, repository } = place;
  const actions = githubActions(world);
  const headSha = await resolveCommit(repository.folder, check.on);
  if (headSha === undefined) throw notFound();
  const content: CheckContent = {
    conclusion: check.conclusion,
    output: { title: check.title, summary: check.summary },
    annotations: check.annotations,
  };
  const byActions: Place = { ...place, actor: { account: actions.bot, app: actions } };
  for (const suite of repository.suites) {
    const waiting = suite.runs.find(
      (run) => run.headSha === headSha && run.name === check.name && run.job && run.status !== 'completed',
    );
    if (!waiting?.job) continue;
    waiting.job.log = check.log ?? '';
    await updateCheckRun(byActions, { suite, run: waiting }, content);
    return waiting;
  }
  return createJob(byActions, actions, { name: check.name, headSha, log: check.log ?? '', ...content });
}

/** The App behind GitHub's own checks. It is not installed and has no webhook. */
function githubActions(world: World): App {
  const known = world.apps.find(({ slug }) => slug === 'github-actions');
  if (known) return known;
  const owner: Account = { id: world.nextId(), login: 'github', name: 'GitHub', type: 'Organization' };
  const bot: Account = { id: world.nextId(), login: 'github-actions[bot]', name: undefined, type: 'Bot' };
  world.accounts.set(owner.login, owner);
  world.accounts.set(bot.login, bot);
  const app: App = {
    id: world.nextId(),
    slug: 'github-actions',
    name: 'GitHub Actions',
    description: 'Automate your workflow from idea to production',
    owner,
    bot,
    clientId: 'Iv1.actions',
    publicKey: '',
    permissions: { actions: 'write', checks: 'write', contents: 'write', metadata: 'read' },
    events: [],
    hook: { url: undefined, secret: undefined, contentType: 'json' },
    externalUrl: world.url,
    createdAt: world.now(),
  };
  world.apps.push(app);
  return app;
}
