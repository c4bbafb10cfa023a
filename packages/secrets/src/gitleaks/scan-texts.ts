/**
 * Scans many texts with one call, since gitleaks takes a tenth of a second to start. The texts are joined by empty
 * lines, at which gitleaks splits. A known test secret at the end reveals a gitleaks that detects nothing or stopped
 * early, in every call.
 */
import { randomBytes } from 'node:crypto';
import { describeMatches } from '../describe-matches.ts';
import type { Secret } from '../scan-text.ts';
import { locateLeak } from './leak-matches.ts';
import { failure, type GitleaksOptions, type Leak, listLeaks } from './scan-with-gitleaks.ts';

export interface NamedText {
  name: string;
  text: string;
}

const apart = '\n\n\n';

/** All findings in any of the texts. Throws when the result cannot be trusted. */
export async function scanTextsWithGitleaks(
  texts: NamedText[],
  options: Omit<GitleaksOptions, 'filename'>,
): Promise<Secret[]> {
  const canary = drawCanary();
  const stream = [...texts.map(({ text }) => text), `t = "${canary}"\n`].join(apart);
  const leaks = await listLeaks(stream, options);
  if (!leaks.some(({ Secret: secret }) => secret === canary))
    throw failure('it did not find a secret that it was given', '');
  const distinct = new Map(
    leaks
      .filter(({ Secret: secret }) => !secret.includes(canary))
      .map((leak) => [`${leak.RuleID}\0${leak.Secret}`, leak]),
  );
  return [...distinct.values()].flatMap((leak) => findAgain(texts, leak));
}

/** Assigned to every text that contains it. A finding in none of them is still reported. */
function findAgain(texts: NamedText[], leak: Leak): Secret[] {
  const found = texts.flatMap(({ name, text }) => {
    const matches = locateLeak(text, leak);
    const findings = describeMatches(text, matches, name);
    return matches.flatMap(({ start, end, hidden, value }, at) => {
      const finding = findings[at];
      return finding
        ? [{ finding, piece: text.slice(start, end), ...(hidden && { hiddenValue: value }) }]
        : [];
    });
  });
  if (found.length > 0) return found;
  const [finding] = describeMatches('', [{ ...nowhere, ...describeLeak(leak) }], texts[0]?.name ?? '');
  return finding ? [{ finding, piece: '' }] : [];
}

const nowhere = { start: 0, end: 0, hidden: true };
const describeLeak = ({ RuleID, Secret: value }: Leak) =>
  ({ rule: `gitleaks/${RuleID}`, severity: 'high', value }) as const;

/** Split, so that this source file contains no token. */
function drawCanary(): string {
  return ['gh', 'p_', randomBytes(27).toString('hex').slice(0, 36)].join('');
}
