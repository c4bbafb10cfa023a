/** Our own rules, the surest first: where two find the same, the first gives its name. */
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
