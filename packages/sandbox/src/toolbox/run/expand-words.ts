// Patterns become paths as in bash in the C locale: sorted by their bytes, dotfiles only where the pattern says so, `**` no
// more than `*`, links followed as long as they stay in the workspace, and a pattern without a match stays as written.
import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync } from 'node:fs';
import type { CommandPlan } from '@fettle/contract';
import { compileName } from '@fettle/globs';
import { createYield } from '../../proc/yield-to-event-loop.ts';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import { show } from '../../protocol/workspace-path.ts';
import { resolveForReading } from '../files/resolve-path.ts';
import { fromFolder, type PlanFolder } from './plan-folder.ts';

const maxPatternLength = 4096;
/** For all the words of a command: what is looked at, and what comes of it. */
const maxVisited = 200_000;
const maxMatches = 20_000;

type PlanWord = CommandPlan[number]['commands'][number]['argv'][number];

interface Search {
  folder: PlanFolder;
  looks: number;
  matches: number;
  yieldNow: () => Promise<void> | undefined;
  signal: AbortSignal;
}

/** Fails with a reason where a pattern cannot be expanded as it should be, and by the signal. */
export async function expandWords(
  words: PlanWord[],
  folder: PlanFolder,
  signal: AbortSignal,
): Promise<string[]> {
  const search: Search = { folder, looks: 0, matches: 0, yieldNow: createYield(), signal };
  const expanded: string[] = [];
  for (const word of words) {
    if ('text' in word) expanded.push(word.text);
    else for (const each of await expandGlob(word.glob, search)) expanded.push(each);
  }
  return expanded;
}

async function expandGlob(pattern: string, search: Search): Promise<string[]> {
  if (pattern.length > maxPatternLength) {
    throw new SandboxError('bad_pattern', `the pattern ${show(pattern)} is too long`);
  }
  if (!hasWildcard(pattern)) return [dropEscapes(pattern)];
  // A slash is one also behind a backslash.
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
  // No program shall take a file for one of its options, or for a list of them.
  return sortByBytes(found).map((text) => (/^[-@]/.test(text) ? `./${text}` : text));
}

async function matchBelow(folders: string[], pattern: string, search: Search): Promise<string[]> {
  const matches = compileName(pattern);
  const wantsDot = /^\\?\./.test(pattern);
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of listNames(folder, search)) {
      await look(search);
      if (name.startsWith('.') && !wantsDot) continue;
      if (!matches(name)) continue;
      refuseOddName(folder, name, search);
      found.push(folder + name);
    }
  }
  return found;
}

async function keepExisting(paths: string[], search: Search): Promise<string[]> {
  const existing: string[] = [];
  for (const path of paths) {
    await look(search);
    const last = path.endsWith('/') ? 'follow' : 'keep';
    const stat = ifReachable(() => lstatSync(locate(path, search, last)));
    if (stat !== undefined && (last === 'keep' || stat.isDirectory())) existing.push(path);
  }
  return existing;
}

function listNames(folder: string, search: Search): string[] {
  return ifReachable(() => readdirSync(locate(folder, search, 'follow'))) ?? [];
}

/** What is not UTF-8 is decoded to this character, and no program would find the file by that name. */
function refuseOddName(folder: string, name: string, search: Search): void {
  if (!name.includes('\ufffd')) return;
  const names = readdirSync(locate(folder, search, 'follow'), { encoding: 'buffer' });
  if (names.some((bytes) => !isUtf8(bytes) && bytes.toString() === name)) {
    throw new SandboxError('bad_pattern', `${show(folder + name)} has a name that is not valid UTF-8`);
  }
}

function locate(path: string, { folder }: Search, last: 'follow' | 'keep'): string {
  return resolveForReading(folder.workspace, fromFolder(folder, path), { last });
}

/** Nothing is found where nobody may look: out of the workspace, in a closed folder. */
function ifReachable<T>(lookUp: () => T): T | undefined {
  try {
    return lookUp();
  } catch (error) {
    if (error instanceof SandboxError || (error as NodeJS.ErrnoException).syscall !== undefined)
      return undefined;
    throw error;
  }
}

async function look(search: Search): Promise<void> {
  search.looks += 1;
  if (search.looks > maxVisited) {
    throw new SandboxError('too_large', `the patterns go through more than ${maxVisited} files`);
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

/** The order of code points, which that of JavaScript's strings is not. */
function sortByBytes(texts: string[]): string[] {
  return texts
    .map((text) => ({ text, bytes: Buffer.from(text) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ text }) => text);
}
