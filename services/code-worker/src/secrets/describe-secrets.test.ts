import type { Secret } from '@fettle/secrets';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { describeForModel, describeForOperator, toReport } from './describe-secrets.ts';

test('file names are redacted, even if only gitleaks recognises the secret', () => {
  // No rule of our own scanner matches it.
  const piece = synthesize('{an24}', createRandom(5));
  const secret: Secret = {
    finding: {
      ...{ rule: 'gitleaks/other', file: `keys/${piece}.txt`, line: 1, column: 6, severity: 'high' },
      ...{ excerpt: 'keys/[redacted].txt', fingerprint: 'fs1-0123456789abcdef' },
    },
    piece,
  };
  const withoutPiece = { ...secret, piece: '' };
  for (const describe of [describeForModel, describeForOperator]) {
    const text = describe(toReport([withoutPiece, secret]));
    expect(text).toContain('keys/[redacted].txt, line 1');
    expect(text).not.toContain(piece);
  }
});
