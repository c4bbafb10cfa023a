import { hashWithoutNumbers } from './fingerprint.ts';
import type { TurnMark } from './marks.ts';

const looksAt = 8_000;
const maxSentences = 32;
/** Shorter ones («Good.», «Let me see:») say nothing that could repeat. */
const minCharacters = 12;
const maxWords = 60;

export function markSentences(texts: string[]): TurnMark['sentences'] {
  const sentences: TurnMark['sentences'] = new Map();
  const text = texts.join('\n').slice(0, looksAt).toLowerCase();
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
