/** Remembers the states of files, to detect a change that goes back to an earlier state. */
import { createSeenSet, hashText, serialise } from './fingerprint.ts';
import { maxSeen } from './limits.ts';
import type { ObservedCall } from './observed-turn.ts';

const maxFiles = 200;

export interface Moves {
  /** Whether a file got a state that it never had before; undefined if the state is unknown. */
  isNew: boolean | undefined;
  /** Moves between two states that a file has made before, in either direction. */
  repeated: { pair: string; path: string }[];
}

interface Move {
  pair: string;
  to: string;
}

export function createFileStates() {
  const current = new Map<string, string>();
  const pairs = createSeenSet();
  const states = createSeenSet();

  return function trackChanges(call: ObservedCall): Moves {
    const moves: Moves = { isNew: undefined, repeated: [] };
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
      if (!isNewPair) moves.repeated.push({ pair: move.pair, path });
      const isNewState = states.add(`${path}\n${move.to}`);
      moves.isNew = moves.isNew === true || (isNewState && isNewPair);
    }
    return moves;
  };
}

/** An edit names the old and the new text, a write only the new text. After a command only the hash of the file is known. */
function findMove(call: ObservedCall, file: ObservedCall['changed'][number], from: string): Move | undefined {
  const { path, blob, change } = file;
  const edits = call.effect === 'writes' ? editsOf(call.input) : undefined;
  const to = change === 'deleted' ? 'deleted' : (blob ?? stateAfter(call, from, edits));
  if (to === undefined) return undefined;
  if (!edits) return { to, pair: pairOf(path, from, to) };
  const olds = JSON.stringify(edits.map((edit) => edit.old));
  const news = JSON.stringify(edits.map((edit) => edit.new));
  return { to, pair: pairOf(path, olds, news) };
}

function stateAfter({ effect, tool, input }: ObservedCall, from: string, edits?: Edit[]): string | undefined {
  if (effect !== 'writes') return undefined;
  if (edits) return hashText(`${from}\n${serialise(input)}`);
  return hashText(`${tool}\n${serialise(input)}`);
}

/** The same hash for both directions. */
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
