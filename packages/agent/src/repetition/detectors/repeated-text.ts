import { factors } from '../limits.ts';
import type { Detector, TurnMark } from '../marks.ts';

/** «Now the next file» is said beside twenty new files; so long a sentence is not. */
const longCharacters = 120;

/** The same sentence in each of the last turns that said anything, without a change beside it. */
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

function findSaid(turns: TurnMark[], hash: string, length: number): TurnMark[] {
  const said: TurnMark[] = [];
  for (const turn of turns.toReversed()) {
    if (turn.sentences.size === 0 && !turn.progress) continue;
    const isExcused = turn.progress || (turn.news && length < longCharacters);
    if (isExcused || !turn.sentences.has(hash)) break;
    said.push(turn);
  }
  return said;
}
