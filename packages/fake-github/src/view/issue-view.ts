/** The page of an issue or a pull request. */
import { listCommits } from '../git/commits.ts';
import { type ChangedFile, listChangedFiles, mergeBase } from '../git/compare.ts';
import { repositoryPage } from '../shapes/repository.ts';
import { fullName, isPull, listPublicComments, type PullIssue, threadNodeId } from '../state/find.ts';
import type { Actor, CheckRun, Issue, Reaction, Repository, Review } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { type Html, html, renderPage } from './layout.ts';
import { renderMarkdown } from './markdown.ts';

export async function renderIssue(world: World, repository: Repository, issue: Issue): Promise<string> {
  const name = fullName(repository);
  const body = html`
<p><a href="${repositoryPage(world, repository)}">${name}</a></p>
<h1>${issue.title} <span class="quiet">#${issue.number}</span></h1>
<p>${stateOf(issue)} ${isPull(issue) ? describePull(issue) : html`opened by <b>${issue.author.account.login}</b>`}</p>
${labelsOf(issue)}
${entry(issue.author, 'opened', issue.createdAt, renderMarkdown(issue.body), issue.reactions)}
${timeline(issue)}
${isPull(issue) ? await pullSections(repository, issue) : undefined}`;
  return renderPage(`${issue.title} · ${name} #${issue.number}`, body);
}

export function stateOf(issue: Issue): Html {
  const state = issue.pull?.merged
    ? 'merged'
    : issue.state === 'open' && issue.pull?.isDraft
      ? 'draft'
      : issue.state;
  return html`<span class="state ${state}">${state}</span>`;
}

function describePull({ author, pull, number }: PullIssue): Html {
  const { head, base, facts, requestedReviewers } = pull;
  const reviewers = requestedReviewers.map(({ login }) => login).join(', ');
  return html`<b>${author.account.login}</b> wants to merge ${facts.commits} ${facts.commits === 1 ? 'commit' : 'commits'} into <code>${base.branch}</code>
from <code>${head.repository.owner.login}:${head.branch}</code> (#${number})
${reviewers === '' ? undefined : html`<br>Review requested from ${reviewers}`}`;
}

function labelsOf({ labels, assignees }: Issue): Html {
  const shown = labels.map(({ name }) => html`<span class="label">${name}</span>`);
  const assigned = assignees.map(({ login }) => login).join(', ');
  return html`<p>${shown}${assigned === '' ? undefined : html` assigned to ${assigned}`}</p>`;
}

function entry(
  author: Actor,
  verb: string,
  at: string,
  content: Html,
  reactions: readonly Reaction[] = [],
): Html {
  const { login, type } = author.account;
  const counts = [...Map.groupBy(reactions, ({ content: name }) => name)].map(
    ([name, all]) => `${name} ${all.length}`,
  );
  return html`<article><header><b>${login}</b>${type === 'Bot' ? html` <span class="label">bot</span>` : undefined}
<span class="quiet">${verb} ${at}</span></header><div>${content}
${counts.length > 0 ? html`<p class="quiet">Reactions: ${counts.join(', ')}</p>` : undefined}</div></article>`;
}

/** Comments and reviews in the order of their times. */
function timeline(issue: Issue): Html[] {
  const comments = issue.comments.map((each) => ({
    at: each.createdAt,
    id: each.id,
    shown: entry(
      each.author,
      each.createdAt === each.updatedAt ? 'commented' : 'commented (edited)',
      each.createdAt,
      renderMarkdown(each.body),
      each.reactions,
    ),
  }));
  const reviews = (issue.pull?.reviews ?? []).flatMap((each) =>
    each.submittedAt === undefined || !isPull(issue)
      ? []
      : [{ at: each.submittedAt, id: each.id, shown: reviewEntry(issue, each, each.submittedAt) }],
  );
  return [...comments, ...reviews]
    .sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id)
    .map(({ shown }) => shown);
}

function reviewEntry(issue: PullIssue, review: Review, at: string): Html {
  const comments = issue.pull.comments.filter(({ reviewId }) => reviewId === review.id);
  const lines = comments.map(
    (each) => html`<p><code>${each.path}:${each.line}</code></p>${renderMarkdown(each.body)}`,
  );
  const verb = review.state.toLowerCase().replaceAll('_', ' ');
  return entry(
    review.author,
    `review: ${verb}`,
    at,
    html`${review.body === '' ? undefined : renderMarkdown(review.body)}${lines}`,
  );
}

async function pullSections(repository: Repository, issue: PullIssue): Promise<Html> {
  const { pull } = issue;
  const fork = await mergeBase(repository.folder, pull.base.sha, pull.head.sha);
  const commits = await listCommits(repository.folder, `${pull.base.sha}..${pull.head.sha}`);
  const files = await listChangedFiles(repository.folder, fork, pull.head.sha);
  const suites = repository.suites.filter(({ headSha }) => headSha === pull.head.sha);
  const checks = suites.flatMap(({ app, runs }) =>
    runs.filter(({ isReplaced }) => !isReplaced).map((run) => checkRow(app.name, run)),
  );
  return html`
<h2>Threads</h2>${threads(issue)}
<h2>Checks</h2>${
    checks.length === 0
      ? html`<p class="quiet">No checks.</p>`
      : html`<table>
<tr><th>Check</th><th>Result</th><th>Summary</th></tr>${checks}</table>`
  }
<h2>Commits</h2><ul class="plain">${commits
    .reverse()
    .map(
      ({ sha, author, message }) =>
        html`<li><code>${sha.slice(0, 7)}</code> ${message.split('\n')[0]} <span class="quiet">${author.name}</span></li>`,
    )}</ul>
<h2>Files changed: ${files.length} (+${pull.facts.additions} −${pull.facts.deletions})</h2>${files.map(fileDiff)}`;
}

function threads(issue: PullIssue): Html | Html[] {
  const comments = listPublicComments(issue);
  const firsts = comments.filter(({ inReplyTo }) => inReplyTo === undefined);
  if (firsts.length === 0) return html`<p class="quiet">No threads.</p>`;
  return firsts.map((first) => {
    const replies = comments.filter(({ id, inReplyTo }) => id === first.id || inReplyTo === first.id);
    const isResolved = issue.pull.resolvedThreads.has(threadNodeId(first.id));
    return html`<article><header><code>${first.path}:${first.line}</code>
${isResolved ? html`<span class="state neutral">resolved</span>` : undefined}
${first.isOutdated ? html`<span class="label">outdated</span>` : undefined}</header><div>
<pre>${diffLines(first.diffHunk)}</pre>
${replies.map((each) => html`<p><b>${each.author.account.login}</b></p>${renderMarkdown(each.body)}`)}</div></article>`;
  });
}

function checkRow(app: string, run: CheckRun): Html {
  const result = run.conclusion ?? run.status;
  const color =
    result === 'success' ? 'open' : result === 'failure' || result === 'timed_out' ? 'failure' : 'neutral';
  const notes = run.annotations.map(
    (each) =>
      html`<li><code>${each.path}:${each.start_line}</code> ${each.annotation_level}: ${each.message}</li>`,
  );
  return html`<tr><td>${app} / ${run.name}</td><td><span class="state ${color}">${result}</span></td>
<td><b>${run.output.title}</b>${run.output.summary ? renderMarkdown(run.output.summary) : undefined}<ul>${notes}</ul></td></tr>`;
}

function fileDiff({ filename, status, patch }: ChangedFile): Html {
  return html`<article><header><code>${filename}</code> <span class="quiet">${status}</span></header>
<pre>${diffLines(patch ?? 'No text.')}</pre></article>`;
}

const lineClasses: Record<string, string> = { '+': 'add', '-': 'del', '@': 'hunk' };

function diffLines(patch: string): Html {
  const lines = patch
    .split('\n')
    .map((line) => html`<span class="line ${lineClasses[line.charAt(0)] ?? ''}">${line}</span>`);
  return { html: lines.map((each) => each.html).join('') };
}
