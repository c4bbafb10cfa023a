/** Where comments on lines stand in the diff of a pull request. */
import { listChangedFiles, mergeBase } from '../git/compare.ts';
import { invalid } from '../http/api-error.ts';
import type { PullIssue } from '../state/find.ts';
import type { Repository } from '../state/model.ts';

export interface LineComment {
  path: string;
  line: number;
  startLine?: number | undefined;
  side?: 'LEFT' | 'RIGHT' | undefined;
  body: string;
}

/** The hunk of the diff that contains the line, up to the line. */
export async function requireHunk(
  repository: Repository,
  issue: PullIssue,
  comment: LineComment,
): Promise<string> {
  const hunk = await findHunk(repository, issue, comment);
  if (hunk === undefined)
    throw invalid({
      resource: 'PullRequestReviewComment',
      field: 'pull_request_review_thread.line',
      code: 'invalid',
      message: 'must be part of the diff',
    });
  return hunk;
}

async function findHunk(
  { folder }: Repository,
  { pull }: PullIssue,
  { path, line, side = 'RIGHT' }: Pick<LineComment, 'path' | 'line' | 'side'>,
): Promise<string | undefined> {
  const fork = await mergeBase(folder, pull.base.sha, pull.head.sha);
  const files = await listChangedFiles(folder, fork, pull.head.sha);
  const hunks = files.find(({ filename }) => filename === path)?.patch?.split(/^(?=@@ )/m) ?? [];
  for (const hunk of hunks) {
    const [header = '', ...lines] = hunk.split('\n');
    const starts = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(header);
    let old = Number(starts?.[1]);
    let now = Number(starts?.[2]);
    for (const [index, text] of lines.entries()) {
      const isHere =
        side === 'RIGHT' ? now === line && !text.startsWith('-') : old === line && !text.startsWith('+');
      if (isHere && text !== '') return [header, ...lines.slice(0, index + 1)].join('\n');
      if (!text.startsWith('-')) now += 1;
      if (!text.startsWith('+')) old += 1;
    }
  }
  return undefined;
}

/** After a push: comments whose lines are no longer part of the diff, or have other text, are outdated. */
export async function markOutdated(repository: Repository, issue: PullIssue): Promise<void> {
  for (const comment of issue.pull.comments) {
    if (comment.isOutdated) continue;
    const hunk = await findHunk(repository, issue, comment);
    const isSame = hunk !== undefined && lastLine(hunk) === lastLine(comment.diffHunk);
    comment.isOutdated = !isSame;
    if (isSame) comment.commitId = issue.pull.head.sha;
  }
}

function lastLine(hunk: string): string {
  return hunk.slice(hunk.lastIndexOf('\n') + 1).slice(1);
}
