/** Our own rules, the most reliable first: where two match the same text, the first one names it. */
import { assignments } from './assignments.ts';
import { cloudTokens } from './cloud-tokens.ts';
import { codeTokens } from './code-tokens.ts';
import { keysAndAddresses } from './keys-and-addresses.ts';
import { messageTokens } from './message-tokens.ts';
import type { SecretRule } from './secret-rule.ts';

export const secretRules: SecretRule[] = [
  ...codeTokens,
  ...messageTokens,
  ...cloudTokens,
  ...keysAndAddresses,
  ...assignments,
];
