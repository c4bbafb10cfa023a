/** What GitHub does when branches move: events, new heads of pull requests, closed and merged pull requests. */
import { listCommits, readCommit } from '../git/commits.ts';
import { listChangedFiles } from '../git/compare.ts';
import { isAncestor, listRefs, type Refs, updateRef } from '../git/refs.ts';
import { accountShape } from '../shapes/account.ts';
import { simpleCommitShape } from '../shapes/commit.ts';
import { repositoryPage } from '../shapes/repository.ts';
import { listPulls, type PullIssue } from '../state/find.ts';
import type { Actor, Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { requestCheckSuites } from './checks.ts';
import { markOutdated } from './diff-hunks.ts';
import { inTurn } from './in-turn.ts';
import { issueEvent } from './issues.ts';
import { emitHere, type Place } from './place.ts';
import { bringHead, closePull, readPullFacts } from './pulls.ts';

const noCommit = '0'.repeat(40);

interface BranchMove {
  branch: string;
  before: string | undefined;
  after: string | undefined;
}

/** Runs a change of refs, then does what follows from it. */
export function moveBranches<T>(place: Place, change: () => Promise<T>): Promise<T> {
  const { folder } = place.repository;
  return inTurn(place.repository, async () => {
    const before = await listRefs(folder, 'refs/heads/');
    try {
      return await change();
    } finally {
      await followMoves(place, before, await listRefs(folder, 'refs/heads/'));
    }
  });
}

async function followMoves(place: Place, before: Refs, after: Refs): Promise<void> {
  const refs = new Set([...before.keys(), ...after.keys()]);
  const moves = [...refs]
    .filter((ref) => before.get(ref) !== after.get(ref))
    .map(
      (ref): BranchMove => ({
        branch: ref.slice('refs/heads/'.length),
        before: before.get(ref),
        after: after.get(ref),
      }),
    );
  for (const move of moves) await followMove(place, move);
}

async function followMove(place: Place, move: BranchMove): Promise<void> {
  const { world, repository } = place;
  repository.pushedAt = world.now();
  await emitPush(place, move);
  for (const base of [repository, ...parentOf(world, repository)])
    await followHeads({ ...place, repository: base }, repository, move);
  if (move.after !== undefined) {
    await followBases(place, { branch: move.branch, after: move.after });
    await requestCheckSuites(place, { sha: move.after, branch: move.branch, before: move.before });
  }
}

function parentOf(world: World, { parentId }: Repository): Repository[] {
  return world.repositories.filter(({ id }) => id === parentId);
}

/** The pull requests whose head is this branch. */
async function followHeads(
  place: Place,
  from: Repository,
  { branch, before, after }: BranchMove,
): Promise<void> {
  for (const issue of listPulls(place.repository)) {
    const { head } = issue.pull;
    if (issue.state === 'closed' || head.repository !== from || head.branch !== branch) continue;
    if (after === undefined) closePull(place, issue);
    else await takeHead(place, issue, { before: before ?? noCommit, after });
  }
}

async function takeHead(
  place: Place,
  issue: PullIssue,
  { before, after }: { before: string; after: string },
) {
  const { repository, world } = place;
  const { pull } = issue;
  await bringHead(repository, pull.head.repository, after);
  await updateRef(repository.folder, `refs/pull/${issue.number}/head`, after);
  pull.facts = await readPullFacts(repository, pull.base.sha, after);
  pull.head.sha = after;
  issue.updatedAt = world.now();
  await markOutdated(repository, issue);
  emitHere(place, issueEvent(place, issue, 'synchronize', { before, after }));
}

/** The pull requests whose base is this branch. GitHub marks those as merged whose head it now contains. */
async function followBases(
  place: Place,
  { branch, after }: { branch: string; after: string },
): Promise<void> {
  for (const issue of listPulls(place.repository)) {
    const { pull } = issue;
    if (issue.state === 'closed' || pull.base.branch !== branch) continue;
    if (await isAncestor(place.repository.folder, pull.head.sha, after)) {
      pull.merged = { at: place.world.now(), by: place.actor.account, sha: after };
      closePull(place, issue);
    } else {
      pull.facts = await readPullFacts(place.repository, after, pull.head.sha);
      pull.base.sha = after;
    }
  }
}

async function emitPush(place: Place, { branch, before, after }: BranchMove): Promise<void> {
  const { world, repository, actor } = place;
  const { folder } = repository;
  const isForced = before !== undefined && after !== undefined && !(await isAncestor(folder, before, after));
  const range = before === undefined || isForced ? after : `${before}..${after}`;
  const commits =
    after === undefined || before === undefined ? [] : await listCommits(folder, range ?? after, 20);
  const page = repositoryPage(world, repository);
  const shapes = [];
  for (const commit of commits.reverse()) {
    const files = await listChangedFiles(folder, commit.parents[0], commit.sha);
    shapes.push({
      ...simpleCommitShape(commit),
      distinct: true,
      url: `${page}/commit/${commit.sha}`,
      added: files.filter(({ status }) => status === 'added').map(({ filename }) => filename),
      removed: files.filter(({ status }) => status === 'removed').map(({ filename }) => filename),
      modified: files.filter(({ status }) => status === 'modified').map(({ filename }) => filename),
    });
  }
  const last = after === undefined ? undefined : await readCommit(folder, after);
  emitHere(place, {
    name: 'push',
    payload: {
      ref: `refs/heads/${branch}`,
      before: before ?? noCommit,
      after: after ?? noCommit,
      base_ref: null,
      compare: `${page}/compare/${(before ?? noCommit).slice(0, 12)}...${(after ?? noCommit).slice(0, 12)}`,
      created: before === undefined,
      deleted: after === undefined,
      forced: isForced,
      commits: shapes,
      head_commit: last
        ? {
            ...simpleCommitShape(last),
            distinct: true,
            url: `${page}/commit/${last.sha}`,
            added: [],
            removed: [],
            modified: [],
          }
        : null,
      pusher: pusherShape(actor),
      sender: accountShape(world, actor.account),
    },
  });
}

function pusherShape({ account }: Actor) {
  return { name: account.login, email: `${account.id}+${account.login}@users.noreply.github.com` };
}
