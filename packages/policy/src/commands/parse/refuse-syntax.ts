import { type Refusal, refuse } from '../refusal.ts';
import { type RefusedSyntax, syntaxRefusals } from './syntax-refusals.ts';

const MAX_TOKEN_LENGTH = 80;

export function refuseSyntax(type: RefusedSyntax, text: string): Refusal {
  const { rule, reason, instead } = syntaxRefusals[type];
  return refuse(rule, reason, { token: shorten(text), instead });
}

export function shorten(text: string): string {
  return text.length > MAX_TOKEN_LENGTH ? `${text.slice(0, MAX_TOKEN_LENGTH)}…` : text;
}
