/** Our own rules, the surest first: where two find the same, the first gives its name. */
import { assignments } from './assignments.ts';
import { keysAndAddresses } from './keys-and-addresses.ts';
import { providerTokens } from './provider-tokens.ts';
import type { SecretRule } from './secret-rule.ts';

export const secretRules: SecretRule[] = [...providerTokens, ...keysAndAddresses, ...assignments];
