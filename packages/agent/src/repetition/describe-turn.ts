/** Reduces a turn to hashes, and decides whether it brought progress or news compared with the turns before. */
import { describeCall } from './describe-call.ts';
import { createFileStates } from './file-states.ts';
import { createSeenSet, hashCommand, hashWithoutNumbers, serialise } from './fingerprint.ts';
import { maxCallsPerTurn } from './limits.ts';
import type { ObservedCall, ObservedTurn } from './observed-turn.ts';
import type { CallDescription, TurnDescription } from './turn-description.ts';

interface Described {
  description: CallDescription;
  progress: boolean;
  news: boolean;
}

export function createTurnDescriber(): (turn: ObservedTurn, withheld: Set<string>) => TurnDescription {
  const trackChanges = createFileStates();
  const calls = createSeenSet();
  const results = createSeenSet();
  let wasWaiting = false;

  function describe(observed: ObservedCall, wasDenied: boolean): Described {
    const { isNew, repeated } = trackChanges(observed);
    const description = describeCall(observed);
    const { call, similarCall, result, similarResult } = description;
    const isChange = observed.changed.length > 0;

    const isKnownCall = !calls.add(call);
    const isNewResult = results.add(call + result);
    // A failure that only names another path is not news, nor is the same output of a command with another number.
    const isNews =
      observed.status !== 'ok'
        ? results.add(`${similarCall} ${similarResult}`)
        : observed.effect === 'runs'
          ? results.add(`${hashCommand(`${observed.tool}\n${serialise(observed.input)}`)} ${result}`)
          : isNewResult;
    const hasNewOutput = observed.effect === 'runs' && isKnownCall && isNewResult && isNews && !wasDenied;
    const progress = (isNew ?? (isChange && isNewResult)) || hasNewOutput;

    // `cat status` after `sleep 5` waits as much as both in one command.
    const waits = description.waits || (wasWaiting && !isChange);
    wasWaiting = description.waits;
    // Installing the same packages again changes nothing.
    const resets = isChange || (description.resets && isNewResult);
    return {
      description: { ...description, waits, resets, repeatedMoves: repeated },
      progress,
      news: isNews || progress,
    };
  }

  return ({ texts, calls: observed }, withheld) => {
    // An interrupted call does not count: the model was told to make it again.
    const finished = observed.filter(({ status }) => status !== 'interrupted').slice(0, maxCallsPerTurn);
    const described = finished.map((call) =>
      describe(call, call.status === 'denied' || withheld.has(call.tool)),
    );
    return {
      calls: described.map(({ description }) => description),
      sentences: describeSentences(texts),
      progress: described.some(({ progress }) => progress),
      news: described.some(({ news }) => news),
    };
  };
}

const maxTextCharacters = 8_000;
const maxSentences = 32;
/** Shorter sentences («Good.», «Let me see:») repeat without meaning anything. */
const minCharacters = 12;
const maxWords = 60;

function describeSentences(texts: string[]): TurnDescription['sentences'] {
  const sentences: TurnDescription['sentences'] = new Map();
  const text = texts.join('\n').slice(0, maxTextCharacters).toLowerCase();
  for (const raw of text.split(/[.!?\n]/)) {
    const sentence = raw
      .split(/[^\p{L}\p{N}]/u)
      .filter(Boolean)
      .join(' ');
    if (sentence.length < minCharacters) continue;
    const words = sentence.length > maxWords ? `${sentence.slice(0, maxWords)}…` : sentence;
    sentences.set(hashWithoutNumbers(sentence), { length: sentence.length, words });
    if (sentences.size === maxSentences) break;
  }
  return sentences;
}
