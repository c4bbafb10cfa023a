/** Four characters to a token: the rule of thumb, so that nobody takes it for more. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
