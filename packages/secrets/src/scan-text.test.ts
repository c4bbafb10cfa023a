import { describe, expect, test } from 'vitest';
import { fingerprintOf } from './describe-matches.ts';
import { scanText } from './scan-text.ts';
import { createRandom, synthesize } from './testing/synthesize.ts';

const random = createRandom(3);
const token = synthesize('ghp_{an36}', random);

test('a finding contains the position and not the value', () => {
  const findings = scanText(`one\n  const t = "${token}"; // two\nthree`, { filename: 'src/a.ts' });
  expect(findings).toEqual([
    {
      ...{ rule: 'github-token', file: 'src/a.ts', line: 2, column: 14, severity: 'high' },
      excerpt: 'const t = "[redacted]"; // two',
      fingerprint: fingerprintOf('github-token', token),
    },
  ]);
});

test('a text without a secret has no finding', () => {
  expect(scanText('')).toEqual([]);
  expect(scanText('const token = process.env.TOKEN;\n')).toEqual([]);
});

test('a fingerprint is that of the secret, wherever and however it is written', () => {
  const written = [
    token,
    Buffer.from(token).toString('base64'),
    `${token.slice(0, 9)}" + "${token.slice(9)}`,
  ];
  const found = written.map((each, at) => scanText(`"${each}"`, { filename: `${at}.ts` })[0]?.fingerprint);
  expect(found).toEqual(Array(3).fill(fingerprintOf('github-token', token)));
  expect(found[0]).toMatch(/^fs1-[0-9a-f]{16}$/);
  expect(fingerprintOf('other', token)).not.toBe(found[0]);
});

test.each(['EXAMPLE', 'see .process.env', 'xxxxxxxxxxxx'])(
  'a key with a note that says %s is one',
  (note) => {
    const dashes = '-----';
    const begin = `${dashes}BEGIN RSA PRIVATE KEY${dashes}`;
    const body = synthesize('{b6464}\n{b6464}\n{b6464}\n{b6464}\n{b6464}', random);
    expect(scanText(`${begin}\nComment: ${note}\n\n${body}\n`)).toHaveLength(1);
  },
);

test('a secret in a data URL is found by its format', () => {
  expect(scanText(`const a = "data:text/plain,${token}"`)).toHaveLength(1);
});

test('two secrets on one line are both found, and neither shows the other', () => {
  const other = synthesize('glpat-{b64u20}', random);
  const findings = scanText(`a="${token}" b="${other}"`);
  expect(findings.map(({ rule }) => rule)).toEqual(['github-token', 'gitlab-token']);
  expect(new Set(findings.map(({ excerpt }) => excerpt))).toEqual(new Set(['a="[redacted]" b="[redacted]"']));
});

describe('long texts', () => {
  const window = 256 * 1024;
  test.each([0, window - 20, window, window + 10_000, 2 * window - 30, 1_000_000])(
    'a secret at %i of one long line is found once',
    (at) => {
      const line = 'a=b; '.repeat(250_000);
      const findings = scanText(`${line.slice(0, at)} "${token}" ${line.slice(at)}`);
      expect(findings.map(({ rule, line, column }) => ({ rule, line, column }))).toEqual([
        { rule: 'github-token', line: 1, column: at + 3 },
      ]);
    },
  );

  test('a private key across the end of a window is one finding', () => {
    const key = synthesize(
      '-----BEGIN RSA PRIVATE KEY-----\nMII{pem3000}\n-----END RSA PRIVATE KEY-----',
      random,
    );
    const findings = scanText(`${'x\n'.repeat(window / 2 - 700)}${key}\n${'x\n'.repeat(10_000)}`);
    expect(findings.map(({ rule, line }) => ({ rule, line }))).toEqual([
      { rule: 'private-key', line: window / 2 - 699 },
    ]);
  });
});

describe('unscanned text does not count as clean', () => {
  test('past the time limit there is a finding', () => {
    const findings = scanText('x = 1;\n'.repeat(1_000), { filename: 'a.js', timeoutMs: -1 });
    const excerpt = expect.stringContaining('not scanned');
    expect(findings).toMatchObject([
      { rule: 'scan-incomplete', file: 'a.js', severity: 'high', line: 1, excerpt },
    ]);
  });
  test('more findings than anyone reads end in one that says so', () => {
    const findings = scanText(`"${token}"\n`.repeat(1_200));
    expect(findings).toHaveLength(1_001);
    expect(findings.at(-1)).toMatchObject({ rule: 'scan-incomplete', line: 1_001 });
  });
});

test.each([
  ...['secretlint-disable', 'secretlint-disable-line', 'gitleaks:allow', 'nosec'],
  'pragma: allowlist secret',
])('a comment with %s changes nothing', (word) => {
  const findings = scanText(`// ${word}\n/* ${word} */ const t = "${token}"; // ${word}`);
  expect(findings.map(({ line }) => line)).toEqual([2]);
});
