import { factors } from '../limits.ts';
import type { Detector, TurnDescription } from '../turn-description.ts';

/** «Now the next file» is normal while twenty files are written; a longer repeated sentence is not. */
const longCharacters = 120;

/** The same sentence in each of the last turns that had text, without any change to files. */
export const findRepeatedText: Detector = (turns, threshold) => {
  for (const [hash, { length, words }] of turns.at(-1)?.sentences ?? []) {
    const said = findSaid(turns, hash, length);
    const factor = said.some(({ news }) => news) ? factors.sentence : factors.repeats;
    if (said.length < threshold * factor) continue;
    const tools = [...new Set(said.flatMap(({ calls }) => calls.map(({ tool }) => tool)))];
    return { kind: 'sentence', key: hash, what: words, times: said.length, tools };
  }
  return undefined;
};

function findSaid(turns: TurnDescription[], hash: string, length: number): TurnDescription[] {
  const said: TurnDescription[] = [];
  for (const turn of turns.toReversed()) {
    if (turn.sentences.size === 0 && !turn.progress) continue;
    const isExcused = turn.progress || (turn.news && length < longCharacters);
    if (isExcused || !turn.sentences.has(hash)) break;
    said.push(turn);
  }
  return said;
}
