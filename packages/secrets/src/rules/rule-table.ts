/** Our own rules, the surest first: where two find the same, the first gives its name. */
import { assignments } from './assignments.ts';
import { codeTokens } from './code-tokens.ts';
import { keysAndAddresses } from './keys-and-addresses.ts';
import { messageTokens } from './message-tokens.ts';
import type { SecretRule } from './secret-rule.ts';
import { serviceTokens } from './service-tokens.ts';

export const secretRules: SecretRule[] = [
  ...codeTokens,
  ...messageTokens,
  ...serviceTokens,
  ...keysAndAddresses,
  ...assignments,
];
