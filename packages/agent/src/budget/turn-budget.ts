/** What the next call may cost and whether it fits: money, tokens and the model's window, kept together for one round. */
import type { Usage } from '@fettle/contract';
import { compact, type Why } from '../compaction/compact.ts';
import { createGauge, sizeOfAll } from '../compaction/gauge.ts';
import type { TurnOptions } from '../loop/run-turns.ts';
import { findWarning, type Reservation, reserve, tokensOf, type Warning } from './budget.ts';
import { whenTimeIsUp } from './time-left.ts';

export function createPurse(options: TurnOptions) {
  const { conversation, budgets, window, costOf, maxOutputTokens } = options;
  const { totals } = conversation;
  const gauge = createGauge();
  const around = sizeOfPrompt(options);
  const sent = () => around + sizeOfAll(conversation.messages);
  const spent = () => ({ ...totals, seconds: options.secondsSpent() });
  const reserveFor = (inputTokens: number, most: number) =>
    reserve(budgets, spent(), { inputTokens, maxOutputTokens: most }, costOf);

  function pay(usage: Usage): void {
    totals.tokens += tokensOf(usage);
    totals.usd += costOf(usage) ?? 0;
  }

  return {
    pay,
    /** Whether the conversation fills more of the model's window than it should. */
    isCrowded: () => gauge.estimate(sent()) > window.tokens * window.compactAt,
    /** Room for the next call, with what will be said before it. */
    reserve: (told = ''): Reservation => reserveFor(gauge.estimate(sent() + told.length), maxOutputTokens),
    /** Takes in what an answer cost, and learns from it how many tokens a text is. */
    payFor(usage: Usage): void {
      gauge.learn(sent(), tokensOf({ ...usage, outputTokens: 0 }));
      pay(usage);
    },
    makeRoom(turn: number, why: Why): Promise<boolean> {
      const affordable = (characters: number, most: number) => {
        const room = reserveFor(gauge.estimate(around + characters), most);
        return room.ok ? room.maxOutputTokens : 0;
      };
      const deadline = () => whenTimeIsUp(budgets, options.secondsSpent());
      return compact(turn, why, { ...options, gauge, pay, affordable, deadline });
    },
    /** What the model has to be told of its budgets now, once. The turn that is about to begin counts. */
    takeWarning(): Warning | undefined {
      const now = { ...spent(), turns: totals.turns + 1 };
      const warning = findWarning(budgets, now, conversation.warned);
      if (warning) conversation.warned = warning.level;
      return warning;
    },
  };
}

/** What goes along with every request. */
function sizeOfPrompt({ system, tools }: TurnOptions): number {
  const described = tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  return system.length + JSON.stringify(described).length;
}
