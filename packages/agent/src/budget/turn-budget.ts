/** Tracks money, tokens and the context window during one round: what the next call may cost and whether it fits. */
import type { Usage } from '@fettle/contract';
import { type CompactionTrigger, compact } from '../compaction/compact.ts';
import { createTokenEstimator, sizeOfAll } from '../compaction/token-estimator.ts';
import type { TurnOptions } from '../loop/turn-options.ts';
import { deadlineFor, findWarning, type Reservation, reserve, tokensOf, type Warning } from './budget.ts';

export function createTurnBudget(options: TurnOptions) {
  const { conversation, budgets, window, costOf, maxOutputTokens } = options;
  const { totals } = conversation;
  const estimator = createTokenEstimator();
  const promptCharacters = sizeOfPrompt(options);
  const sentCharacters = () => promptCharacters + sizeOfAll(conversation.messages);
  const spent = () => ({ ...totals, seconds: options.secondsSpent() });
  const reserveFor = (inputTokens: number, longest: number) =>
    reserve(budgets, spent(), { inputTokens, maxOutputTokens: longest }, costOf);

  function pay(usage: Usage): void {
    totals.tokens += tokensOf(usage);
    totals.usd += costOf(usage) ?? 0;
  }

  return {
    pay,
    /** Whether the conversation fills more of the context window than it should. */
    shouldCompact: () => estimator.estimate(sentCharacters()) > window.tokens * window.compactAt,
    /** Reserves the next call, including the user message that will precede it. */
    reserve: (userMessage = ''): Reservation =>
      reserveFor(estimator.estimate(sentCharacters() + userMessage.length), maxOutputTokens),
    /** Pays for an answer, and learns from it how many tokens a character takes. */
    payFor(usage: Usage): void {
      estimator.learn(sentCharacters(), tokensOf({ ...usage, outputTokens: 0 }));
      pay(usage);
    },
    makeRoom(turn: number, trigger: CompactionTrigger): Promise<boolean> {
      const affordable = (characters: number, longest: number) => {
        const room = reserveFor(estimator.estimate(promptCharacters + characters), longest);
        return room.ok ? room.maxOutputTokens : 0;
      };
      const deadline = () => deadlineFor(budgets, options.secondsSpent());
      return compact(turn, trigger, { ...options, estimator, pay, affordable, deadline });
    },
    /** Returns each budget warning once. The turn that is about to start counts. */
    takeWarning(): Warning | undefined {
      const now = { ...spent(), turns: totals.turns + 1 };
      const warning = findWarning(budgets, now, conversation.warned);
      if (warning) conversation.warned = warning.level;
      return warning;
    },
  };
}

/** The characters that every request sends besides the conversation. */
function sizeOfPrompt({ system, tools }: TurnOptions): number {
  const described = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  return system.length + JSON.stringify(described).length;
}
