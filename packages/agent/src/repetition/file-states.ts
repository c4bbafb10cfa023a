/** Which states the files have been in, so that a way back is known for what it is. */
import { hashText, spell } from './fingerprint.ts';
import { maxSeen } from './limits.ts';
import type { NotedCall } from './noted-turn.ts';
import { createSeen } from './seen.ts';

const maxFiles = 200;

export interface Moves {
  /** Whether some file is in a state in which it has not been; undefined where that cannot be told. */
  isNew: boolean | undefined;
  /** The pairs of states between which a file went once more, with its path. */
  again: { pair: string; path: string }[];
}

interface Move {
  pair: string;
  to: string;
}

export function createFileStates() {
  const current = new Map<string, string>();
  const pairs = createSeen();
  const states = createSeen();

  return function noteChanges(call: NotedCall): Moves {
    const moves: Moves = { isNew: undefined, again: [] };
    for (const file of call.changed.slice(0, maxFiles)) {
      const { path } = file;
      const from = current.get(path) ?? 'start';
      const move = findMove(call, file, from);
      if (current.size >= maxSeen) current.clear();
      if (!move) {
        current.delete(path);
        continue;
      }
      current.set(path, move.to);
      if (move.to === from) continue;
      const isNewPair = pairs.add(move.pair);
      if (!isNewPair) moves.again.push({ pair: move.pair, path });
      const isNewState = states.add(`${path}\n${move.to}`);
      moves.isNew = moves.isNew === true || (isNewState && isNewPair);
    }
    return moves;
  };
}

/** Edits say from what to what; a write of a whole file says to what; of a program only the file's hash says it. */
function findMove(call: NotedCall, file: NotedCall['changed'][number], from: string): Move | undefined {
  const { path, blob, change } = file;
  const edits = call.effect === 'writes' ? editsOf(call.input) : undefined;
  const to = change === 'deleted' ? 'deleted' : (blob ?? stateAfter(call, from, edits));
  if (to === undefined) return undefined;
  if (!edits) return { to, pair: pairOf(path, from, to) };
  const olds = JSON.stringify(edits.map((edit) => edit.old));
  const news = JSON.stringify(edits.map((edit) => edit.new));
  return { to, pair: pairOf(path, olds, news) };
}

function stateAfter({ effect, tool, input }: NotedCall, from: string, edits?: Edit[]): string | undefined {
  if (effect !== 'writes') return undefined;
  if (edits) return hashText(`${from}\n${spell(input)}`);
  return hashText(`${tool}\n${spell(input)}`);
}

/** The same both ways: there and back is one pair. */
function pairOf(path: string, one: string, other: string): string {
  return hashText([path, ...[hashText(one), hashText(other)].sort()].join('\n'));
}

interface Edit {
  old: unknown;
  new: unknown;
}

function editsOf(input: unknown): Edit[] | undefined {
  const edits = (input as { edits?: unknown } | null | undefined)?.edits;
  return Array.isArray(edits) && edits.length > 0
    ? edits.map((edit) => ({ old: edit?.old, new: edit?.new }))
    : undefined;
}
