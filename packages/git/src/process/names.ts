import { GitError } from './git-error.ts';

const objectIdPattern = /^[0-9a-f]{40}$/;
/** Spaces, control characters, and characters that have a meaning in revisions. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: refs must not contain control characters
const forbiddenInRefs = /[\x00-\x20\x7f~^:?*[\\]/;

export function isObjectId(text: string): boolean {
  return objectIdPattern.test(text);
}

export function assertObjectId(text: string): void {
  if (!isObjectId(text)) throw new GitError('bad_ref', `"${text}" is not a full object id.`);
}

/** The rules of `git check-ref-format`, for a whole name such as `refs/heads/main`. */
export function isRefName(name: string): boolean {
  if (!name.startsWith('refs/') || name.endsWith('/') || name.endsWith('.')) return false;
  if (forbiddenInRefs.test(name) || name.includes('..') || name.includes('@{')) return false;
  if (!name.isWellFormed() || Buffer.byteLength(name) > 1000) return false;
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/** The rules of `git check-ref-format --branch`, without its shorthands. */
export function isBranchName(name: string): boolean {
  return name !== 'HEAD' && !name.startsWith('-') && isRefName(`refs/heads/${name}`);
}

export function assertBranchName(name: string): void {
  if (!isBranchName(name)) throw new GitError('bad_ref', `"${name}" is not a valid branch name.`);
}

/** Only Fettle writes the refs below refs/fettle/. A sync leaves them alone. */
export function assertPrivateRef(ref: string): void {
  if (ref.startsWith('refs/fettle/') && isRefName(ref)) return;
  throw new GitError('bad_ref', `"${ref}" is not a valid name below refs/fettle/.`);
}
