/** The messages for the model about a repetition, and the one for the person who reads the draft. */
import type { Repetition } from './turn-description.ts';

interface Texts {
  /** What repeats, as a sentence without a full stop. */
  describe(repetition: Repetition): string;
  advice: string;
}

const texts: Record<Repetition['kind'], Texts> = {
  same_call: {
    describe: ({ what, times }) =>
      `${what} was called ${times} times with the same result, and nothing changed in between`,
    advice: 'The result will be the same again: use it, or find out something else.',
  },
  alternation: {
    describe: ({ what, times }) => `${what} were called in alternation ${times} times, with the same results`,
    advice: 'The results will not change: change something first, or try another approach.',
  },
  alike: {
    describe: ({ what, times }) =>
      `${times} calls like ${what}, which differ only in details, had the same result`,
    advice: 'Find out why before the next call: look at what is really there, or try another approach.',
  },
  undoing: {
    describe: ({ what, times }) =>
      `${what} alternates between the same two states: ${times} edits undid an earlier one`,
    advice: 'Neither state is right: say what each of them breaks, then make a third one.',
  },
  sentence: {
    describe: ({ what, times }) => `«${what}» was said in ${times} turns in a row, and no file changed`,
    advice: 'Do it now, or say what prevents it and finish.',
  },
  stale: {
    describe: ({ times }) => `${times} turns in a row changed no file and returned no new result`,
    advice: 'Make the change with what you know, or finish and say what is missing.',
  },
};

const describe = (repetition: Repetition): string => texts[repetition.kind].describe(repetition);

export const warning = (repetition: Repetition): string =>
  `${describe(repetition)}. ${texts[repetition.kind].advice}`;

export const lastWarning = (repetition: Repetition): string =>
  `${describe(repetition)}, after a warning. ${texts[repetition.kind].advice} If this continues, the work ends here.`;

export function withholdMessage(repetition: Repetition, tools: string[], turns: number): string {
  const names = tools.join(' and ');
  const are = tools.length === 1 ? 'is' : 'are';
  return `${describe(repetition)}, after a warning. ${names} ${are} withheld for ${turns} turns. ${texts[repetition.kind].advice} If this continues, the work ends here.`;
}

/** For the person who reads the draft. */
export const endMessage = (repetition: Repetition): string =>
  `${describe(repetition)}, although the agent had been warned`;
