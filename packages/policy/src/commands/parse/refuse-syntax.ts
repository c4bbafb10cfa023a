import { type Refusal, refuse } from '../refusal.ts';
import { type RefusedSyntax, syntaxRefusals } from './syntax-refusals.ts';

const MAX_TOKEN_LENGTH = 80;
/** The variable that agents use most often. */
const noStatus = 'leave it out: the exit code of the line is reported';

export function refuseSyntax(type: RefusedSyntax, text: string): Refusal {
  const { rule, reason, instead } = syntaxRefusals[type];
  return refuse(rule, reason, { token: shorten(text), instead: text === '$?' ? noStatus : instead });
}

export function shorten(text: string): string {
  return text.length > MAX_TOKEN_LENGTH ? `${text.slice(0, MAX_TOKEN_LENGTH)}…` : text;
}
