import type { Secret } from '@fettle/secrets';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { describeForModel, describeForOperator, toTell } from './describe-secrets.ts';

test('the name of a file tells no secret, also where only the other scanner knows it', () => {
  // Nothing about it says what it is.
  const piece = synthesize('{an24}', createRandom(5));
  const secret: Secret = {
    finding: {
      rule: 'gitleaks/other',
      file: `keys/${piece}.txt`,
      line: 1,
      column: 6,
      severity: 'high',
      excerpt: 'keys/[redacted].txt',
      fingerprint: 'fs1-0123456789abcdef',
    },
    piece,
  };
  const nowhere = { ...secret, piece: '' };
  for (const describe of [describeForModel, describeForOperator]) {
    const told = describe(toTell([nowhere, secret]));
    expect(told).toContain('keys/[redacted].txt, line 1');
    expect(told).not.toContain(piece);
  }
});
