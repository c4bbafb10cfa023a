/** Compares the contents of files, as people see them: without secrets, and bounded. */
import type { PartDiff, PartFile, PartTree } from '@fettle/contract';
import { formatPatch, structuredPatch } from 'diff';
import type { Changes, Content } from './read-changes.ts';

const maxFiles = 2_000;
const limits = { fileBytes: 200_000, bytes: 1_000_000, diffMs: 500 };

type Redact = (text: string) => string;
type FileEntry = PartTree['files'][number];

export interface Compared {
  entry: FileEntry;
  before: Content;
  after: Content;
}

/** `earlier` is the state to compare with; by default the base. */
export function listChanged(changes: Changes, earlier?: Changes): Compared[] {
  const unknown: Content = { kind: 'unknown' };
  return [...changes.now]
    .map(([path, after]) => {
      const before = earlier?.now.get(path) ?? changes.base.get(path) ?? unknown;
      return { before, after, entry: { path, ...describe(before, after) } };
    })
    .filter(({ before, after }) => !isSame(before, after))
    .toSorted((one, other) => (one.entry.path < other.entry.path ? -1 : 1))
    .slice(0, maxFiles);
}

function describe(before: Content, after: Content): Omit<FileEntry, 'path'> {
  if (!('size' in after)) return { change: 'deleted', mode: null, bytes: null };
  const change = before.kind === 'missing' ? 'added' : before.kind === 'unknown' ? 'written' : 'modified';
  return { change, mode: modeOf(after), bytes: after.size };
}

function modeOf(content: Content): FileEntry['mode'] {
  if (!('size' in content)) return null;
  if (content.kind === 'symlink') return '120000';
  return content.executable ? '100755' : '100644';
}

function isSame(before: Content, after: Content): boolean {
  if (!('size' in before && 'size' in after)) return before.kind === 'missing' && after.kind === 'missing';
  if (before.kind !== after.kind || before.executable !== after.executable) return false;
  return before.bytes !== undefined && after.bytes !== undefined && before.bytes.equals(after.bytes);
}

type Omitted = PartFile['omitted'];
type Text = { text: string } | { omitted: NonNullable<Omitted> };

/** Secrets are removed before the comparison: the marks of a diff would hide those of several lines. */
export function createDiffer(redact: Redact) {
  let left = limits.bytes;
  return ({ entry, before, after }: Compared): PartDiff['files'][number] => {
    const sizeLimit = Math.min(left, limits.fileBytes);
    const one = readText(before, sizeLimit);
    const other = readText(after, sizeLimit);
    if ('omitted' in one) return { ...entry, diff: null, omitted: one.omitted };
    if ('omitted' in other) return { ...entry, diff: null, omitted: other.omitted };
    left -= one.text.length + other.text.length;
    const diff = formatDiff(entry, redact(one.text), redact(other.text));
    return diff === undefined
      ? { ...entry, diff: null, omitted: 'too_different' }
      : { ...entry, diff: `${describeModes(before, after)}${diff}` };
  };
}

export function readFile(
  { entry, after }: Compared,
  redact: Redact,
): FileEntry & Pick<PartFile, 'text' | 'omitted'> {
  if (after.kind === 'missing') return { ...entry, text: null };
  const read = readText(after, limits.fileBytes);
  return 'omitted' in read ? { ...entry, text: null, ...read } : { ...entry, text: redact(read.text) };
}

function readText(content: Content, maxBytes: number): Text {
  if (content.kind === 'missing') return { text: '' };
  if (content.kind === 'unknown') return { omitted: 'base_not_kept' };
  const { bytes } = content;
  if (bytes === undefined || bytes.length > maxBytes) return { omitted: 'too_large' };
  if (bytes.includes(0)) return { omitted: 'binary' };
  return { text: bytes.toString('utf8') };
}

function formatDiff({ path, change }: FileEntry, before: string, after: string): string | undefined {
  const from = change === 'added' ? '/dev/null' : `a/${path}`;
  const to = change === 'deleted' ? '/dev/null' : `b/${path}`;
  const options = { context: 3, timeout: limits.diffMs };
  const patch = structuredPatch(from, to, before, after, undefined, undefined, options);
  return (
    patch && formatPatch(patch, { includeIndex: false, includeUnderline: false, includeFileHeaders: true })
  );
}

function describeModes(before: Content, after: Content): string {
  const modes = [before, after].map(modeOf);
  return modes[0] === modes[1] || modes.includes(null) ? '' : `old mode ${modes[0]}\nnew mode ${modes[1]}\n`;
}
