/**
 * Expands patterns to paths like bash in the C locale: sorted by bytes, dotfiles only if the pattern begins with a dot, `**`
 * equals `*`, and a pattern without a match stays as written. Links are followed within the workspace.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync } from 'node:fs';
import type { CommandPlan } from '@fettle/contract';
import { compileName } from '@fettle/globs';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { resolveForReading } from '../files/resolve-path.ts';
import { locate, type PlanFolder } from './plan-folder.ts';

const maxPatternLength = 4096;
/** For all words of a command: visited files, and matches. */
const maxVisited = 200_000;
const maxMatches = 20_000;

type PlanWord = CommandPlan[number]['commands'][number]['argv'][number];

interface Search {
  folder: PlanFolder;
  visited: number;
  matches: number;
  yieldNow: () => Promise<void> | undefined;
  signal: AbortSignal;
}

/** Throws if a pattern cannot be expanded or the signal is aborted. */
export async function expandWords(
  words: PlanWord[],
  folder: PlanFolder,
  signal: AbortSignal,
): Promise<string[]> {
  const search: Search = { folder, visited: 0, matches: 0, yieldNow: createYield(), signal };
  const expanded: string[] = [];
  for (const word of words) {
    if ('text' in word) expanded.push(word.text);
    else if ('place' in word) for (const each of await expandPlace(word, search)) expanded.push(each);
    else for (const each of await expandGlob(word.glob, search)) expanded.push(each);
  }
  return expanded;
}

/** The program gets the real path. */
async function expandPlace(
  { place, isPattern }: Extract<PlanWord, { place: string }>,
  search: Search,
): Promise<string[]> {
  const { folder } = search;
  const { base, path } = locate(folder, place);
  if (!isPattern || path === '') return [path === '' ? base : `${base}/${path}`];
  const inBase: Search = { ...search, folder: { ...folder, path: '', isScratch: base === folder.scratch } };
  return (await expandGlob(path, inBase)).map((found) => `${base}/${found}`);
}

async function expandGlob(pattern: string, search: Search): Promise<string[]> {
  if (pattern.length > maxPatternLength) {
    throw new SandboxError('bad_pattern', `the pattern ${show(pattern)} is too long`);
  }
  if (!hasWildcard(pattern)) return [dropEscapes(pattern)];
  // An escaped slash is still a separator.
  const names = pattern.replaceAll('\\/', '/').split('/');
  let found = [''];
  for (const [at, name] of names.entries()) {
    const folders = at === 0 ? found : found.map((text) => `${text}/`);
    found = hasWildcard(name)
      ? await matchBelow(folders, name, search)
      : folders.map((text) => text + dropEscapes(name));
  }
  if (!hasWildcard(names.at(-1) ?? '')) found = await keepExisting(found, search);
  if (found.length === 0) return [dropEscapes(pattern)];
  search.matches += found.length;
  if (search.matches > maxMatches) {
    throw new SandboxError('too_large', `${show(pattern)} matches more than ${maxMatches} files`);
  }
  // A program must not mistake a file name for an option (-x) or a response file (@x).
  return sortByBytes(found).map((text) => (/^[-@]/.test(text) ? `./${text}` : text));
}

async function matchBelow(folders: string[], pattern: string, search: Search): Promise<string[]> {
  const matches = compileName(pattern);
  const wantsDot = /^\\?\./.test(pattern);
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of listNames(folder, search)) {
      await countVisit(search);
      if (name.startsWith('.') && !wantsDot) continue;
      if (!matches(name)) continue;
      rejectInvalidName(folder, name, search);
      found.push(folder + name);
    }
  }
  return found;
}

async function keepExisting(paths: string[], search: Search): Promise<string[]> {
  const existing: string[] = [];
  for (const path of paths) {
    await countVisit(search);
    const last = path.endsWith('/') ? 'follow' : 'keep';
    const stat = ifReachable(() => lstatSync(realPathOf(path, search, last)));
    if (stat !== undefined && (last === 'keep' || stat.isDirectory())) existing.push(path);
  }
  return existing;
}

function listNames(folder: string, search: Search): string[] {
  return ifReachable(() => readdirSync(realPathOf(folder, search, 'follow'))) ?? [];
}

/** Invalid UTF-8 is decoded to this character, and no program would find the file by the decoded name. */
function rejectInvalidName(folder: string, name: string, search: Search): void {
  if (!name.includes('\ufffd')) return;
  const names = readdirSync(realPathOf(folder, search, 'follow'), { encoding: 'buffer' });
  if (names.some((bytes) => !isUtf8(bytes) && bytes.toString() === name)) {
    throw new SandboxError('bad_pattern', `${show(folder + name)} has a name that is not valid UTF-8`);
  }
}

function realPathOf(given: string, { folder }: Search, last: 'follow' | 'keep'): string {
  const { base, path } = locate(folder, given);
  return resolveForReading(base, path, { last });
}

/** Undefined for paths outside of the workspace and in folders without permissions. */
function ifReachable<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp();
  } catch (error) {
    if (error instanceof SandboxError || (error as NodeJS.ErrnoException).syscall !== undefined)
      return undefined;
    throw error;
  }
}

async function countVisit(search: Search): Promise<void> {
  search.visited += 1;
  if (search.visited > maxVisited) {
    throw new SandboxError('too_large', `the patterns visit more than ${maxVisited} files`);
  }
  await search.yieldNow();
  search.signal.throwIfAborted();
}

function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\\./gsu, ''));
}

function dropEscapes(pattern: string): string {
  return pattern.replace(/\\(.)/gsu, '$1');
}

/** Equals the order of code points. JavaScript compares strings by UTF-16 units. */
function sortByBytes(texts: string[]): string[] {
  return texts
    .map((text) => ({ text, bytes: Buffer.from(text) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text }) => text);
}
