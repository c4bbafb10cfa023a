/** Remembers whole checks that ran on the current tree, so that verifying does not repeat them a minute later. */
import type { RunResult } from '@fettle/sandbox';

export interface RecentChecks {
  note(command: string, result: RunResult): void;
  /** The result of a command that ran on exactly this tree. */
  find(command: string): RunResult | undefined;
}

/** `head` names the tree: it changes with every saved change. */
export function createRecentChecks(head: () => string): RecentChecks {
  const results = new Map<string, { commit: string; result: RunResult }>();
  return {
    note(command, result) {
      // Fettle gives a check more time than the agent has.
      if (!result.timedOut) results.set(command, { commit: head(), result });
    },
    find(command) {
      const known = results.get(command);
      return known?.commit === head() ? known.result : undefined;
    },
  };
}
