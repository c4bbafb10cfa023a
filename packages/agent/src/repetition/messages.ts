import type { Finding } from './marks.ts';

interface Words {
  /** What repeats, as a sentence without its full stop. */
  says(finding: Finding): string;
  instead: string;
}

/** What the model is told of each kind of loop. */
const words: Record<Finding['kind'], Words> = {
  same_call: {
    says: ({ what, times }) =>
      `${what} was called ${times} times with the same result, and nothing changed in between`,
    instead: 'It will say the same again: work with what it said, or find out something else.',
  },
  alternation: {
    says: ({ what, times }) =>
      `${what} were called in alternation, ${times} times over, with the same results`,
    instead: 'Neither will say anything new: change something first, or take another way.',
  },
  alike: {
    says: ({ what, times }) => `${times} calls like ${what}, which differ only in details, came to the same`,
    instead: 'Find out why before the next one: look at what is really there, or take another way.',
  },
  undoing: {
    says: ({ what, times }) =>
      `${what} goes to and fro between the same two states: ${times} edits undid one before`,
    instead: 'Neither state is right: say what each of them breaks, then make a third.',
  },
  sentence: {
    says: ({ what, times }) => `«${what}» was said ${times} turns in a row, and no file changed`,
    instead: 'Do it now, or say what keeps you from it and finish.',
  },
  stale: {
    says: ({ times }) =>
      `${times} turns in a row brought no change in the files, no new result and nothing that had not been seen`,
    instead: 'Make the change with what you know, or finish and say what is missing.',
  },
};

const describeLoop = (finding: Finding): string => words[finding.kind].says(finding);

export const nudgeFor = (finding: Finding): string =>
  `${describeLoop(finding)}. ${words[finding.kind].instead}`;

export const lastNudgeFor = (finding: Finding): string =>
  `${describeLoop(finding)}, after you were told. ${words[finding.kind].instead} If it goes on, the work ends here.`;

export function withholdingFor(finding: Finding, tools: string[], turns: number): string {
  const names = tools.join(' and ');
  const are = tools.length === 1 ? 'is' : 'are';
  return `${describeLoop(finding)}, after you were told. ${names} ${are} withheld for ${turns} turns. ${words[finding.kind].instead} If it goes on, the work ends here.`;
}

/** For the person who reads the draft. */
export const endFor = (finding: Finding): string =>
  `${describeLoop(finding)}, though the agent had been told`;
