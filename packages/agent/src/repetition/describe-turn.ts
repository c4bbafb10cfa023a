import { markCall } from './describe-call.ts';
import { createFileStates } from './file-states.ts';
import { hashCommand, spell } from './fingerprint.ts';
import { maxCallsPerTurn } from './limits.ts';
import { markSentences } from './mark-sentences.ts';
import type { CallMark, TurnMark } from './marks.ts';
import type { NotedCall, NotedTurn } from './noted-turn.ts';
import { createSeen } from './seen.ts';

interface Note {
  mark: CallMark;
  progress: boolean;
  news: boolean;
}

/** Reduces turn after turn to marks; what is new in a turn depends on those before it. */
export function createMarker(): (turn: NotedTurn, withheld: Set<string>) => TurnMark {
  const noteChanges = createFileStates();
  const calls = createSeen();
  const results = createSeen();
  let wasWaiting = false;

  function noteCall(noted: NotedCall, wasRefused: boolean): Note {
    const { isNew, again } = noteChanges(noted);
    const marked = markCall(noted);
    const { call, kin, result, likeness } = marked;
    const isChange = noted.changed.length > 0;

    const isKnownCall = !calls.add(call);
    const isNewResult = results.add(call + result);
    // A failure that only names another path is no news, nor is what the same command said with another number.
    const isNews =
      noted.status !== 'ok'
        ? results.add(`${kin} ${likeness}`)
        : noted.effect === 'runs'
          ? results.add(`${hashCommand(`${noted.tool}\n${spell(noted.input)}`)} ${result}`)
          : isNewResult;
    const saysOtherwise = noted.effect === 'runs' && isKnownCall && isNewResult && isNews && !wasRefused;
    const progress = (isNew ?? (isChange && isNewResult)) || saysOtherwise;

    // `cat status` after `sleep 5` waits as much as the two in one command.
    const waits = marked.waits || (wasWaiting && !isChange);
    wasWaiting = marked.waits;
    // Packages that are installed a second time are the same packages.
    const resets = isChange || (marked.resets && isNewResult);
    return { mark: { ...marked, waits, resets, again }, progress, news: isNews || progress };
  }

  return ({ texts, calls: noted }, withheld) => {
    // A call that was cut off says nothing: to make it again is what the model was told to do.
    const finished = noted.filter(({ status }) => status !== 'interrupted').slice(0, maxCallsPerTurn);
    const notes = finished.map((call) => noteCall(call, call.status === 'denied' || withheld.has(call.tool)));
    return {
      calls: notes.map(({ mark }) => mark),
      sentences: markSentences(texts),
      progress: notes.some(({ progress }) => progress),
      news: notes.some(({ news }) => news),
    };
  };
}
