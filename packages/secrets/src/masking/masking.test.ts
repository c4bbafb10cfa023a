import { describe, expect, test } from 'vitest';
import { createRandom, synthesize } from '../testing/synthesize.ts';
import { createMask } from './create-mask.ts';
import { maskSecrets } from './mask-secrets.ts';
import { unmask } from './unmask.ts';
import { createVault, listTokens } from './vault.ts';

const random = createRandom(5);
const draw = (template: string) => synthesize(template, random);

describe('the installation’s own secrets', () => {
  const secret = 'p@ss/w"ord+ü\\& <1>';
  const mask = createMask([secret, 'short']);
  const ways: [string, string][] = [
    ['plain', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 in a pair', Buffer.from(`x:${secret}`).toString('base64')],
    ['base64 in a longer text', Buffer.from(`user:${secret}!`).toString('base64')],
    ['base64 of addresses', Buffer.from(`ab:${secret}??`).toString('base64url')],
    ['an address', encodeURIComponent(secret)],
    ['an address in small letters', encodeURIComponent(secret).toLowerCase()],
    ['a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['all of it as an address', [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON in ASCII', JSON.stringify(secret).slice(1, -1).replace('ü', '\\u00fc')],
    [
      'HTML',
      secret
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;'),
    ],
    ['hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
  ];
  test.each(ways)('are taken out as %s', (_, written) => {
    const masked = mask(`before ${written} after`);
    expect(masked).toMatch(/^before .{0,8}\[masked\].{0,8} after$/);
    expect(masked).not.toContain(written.slice(2, -5));
  });

  test('are found among many, and quickly', () => {
    const keys = Array.from({ length: 50 }, () =>
      draw('{dashes}BEGIN PRIVATE KEY{dashes}\n{pem3200}\n{dashes}END PRIVATE KEY{dashes}'),
    );
    const lines = keys.map((key) => key.split('\n')[7] ?? '');
    const text = 'const a = await something(b, c); // lorem\n'.repeat(25_000);
    const masked = createMask(keys)(`${text}${lines.join('\n')}\n${text}`);
    expect(masked).toBe(`${text}${Array(50).fill('[masked]').join('\n')}\n${text}`);
  });

  test('are removed completely where two overlap', () => {
    expect(createMask(['abcdefgh', 'efghijklm', 'abcdefgh1'])('xabcdefghijklmx abcdefgh1')).toBe(
      'x[masked]x [masked]',
    );
  });

  test('are recognized by single lines of a key, indented or truncated', () => {
    const key = draw(
      '{dashes}BEGIN PRIVATE KEY{dashes}\n{b6464}\n{b6464}\n{dashes}END PRIVATE KEY{dashes}\n',
    );
    const [, first = '', second = ''] = key.split('\n');
    const mask = createMask([key]);
    expect(mask(`key: |\n  -----BEGIN PRIVATE KEY-----\n  ${first}\n  ${second}\n`)).toBe(
      'key: |\n  -----BEGIN PRIVATE KEY-----\n  [masked]\n  [masked]\n',
    );
    expect(mask(JSON.stringify({ key }))).toBe('{"key":"[masked]\\n"}');
  });

  test('shorter than eight characters are ignored', () => {
    expect(mask('a short text')).toBe('a short text');
    expect(createMask([])('a text')).toBe('a text');
    expect(createMask([''])('a text')).toBe('a text');
  });
});

describe('what the model sees', () => {
  const token = draw('ghp_{an36}');
  const line = `const t = "${token}"; // mine`;

  test('is a token, the same for the same secret, which can be put back', () => {
    const vault = createVault('key');
    const masked = maskSecrets(`${line}\n${line}`, vault);
    expect(masked).toMatch(
      /^const t = "(⟦secret:[0-9a-f]{16}:github-token⟧)"; \/\/ mine\nconst t = "\1"; \/\/ mine$/,
    );
    expect(unmask(masked, vault)).toEqual({ ok: true, text: `${line}\n${line}` });
    expect(maskSecrets(line, createVault('key'))).toBe(masked.split('\n')[0]);
    expect(maskSecrets(line, createVault('other'))).not.toBe(masked.split('\n')[0]);
  });

  test('keeps its lines', () => {
    const vault = createVault();
    const key = draw(
      'a: |\n  {dashes}BEGIN PRIVATE KEY{dashes}\n  MII{b6461}\n  {b6464}\n  {dashes}END PRIVATE KEY{dashes}\nb: 1\n',
    );
    const masked = maskSecrets(key, vault);
    const lines = masked.split('\n');
    expect(lines).toHaveLength(key.split('\n').length);
    expect(lines[2]).toMatch(/^ {2}⟦secret:[0-9a-f]{16}:private-key⟧$/);
    expect(lines.at(-2)).toBe('b: 1');
    expect(unmask(masked, vault)).toEqual({ ok: true, text: key });
  });

  test('contains no secret that was seen before, anywhere', () => {
    const vault = createVault();
    const password = draw('{an18}');
    maskSecrets(`DB_PASSWORD=${password}`, vault);
    expect(maskSecrets(`connected as app with ${password}.`, vault)).toMatch(
      /^connected as app with ⟦secret:[0-9a-f]{16}:assigned-secret⟧\.$/,
    );
  });

  test('is unchanged when there is nothing to mask', () => {
    expect(maskSecrets('plain\n  text\n', createVault())).toBe('plain\n  text\n');
  });

  const odd = ['⟦secret:0000000000000000:x⟧', 'a ⟦ b ⟧ c', '⟦⟦secret:', `⟦secret:${token}⟧`, `"${token}"⟦`];
  test.each([...odd, '', '\r\n', `${token}\r\n\r\n${token}`, `${token.slice(0, 9)}" + "${token.slice(9)}`])(
    'can be put back exactly, whatever it was: %j',
    (text) => {
      const vault = createVault();
      expect(unmask(maskSecrets(text, vault), vault)).toEqual({ ok: true, text });
    },
  );
});

test('random text survives masking and unmasking', () => {
  const pieces = [
    ...['⟦', '⟧', 'secret:', 'abcdef012345', ':x', '\n', ' ', '\r\n', '"', 'ghp_{an36}', 'password='],
    ...['{an20}', '\\u27e6'],
  ];
  for (let round = 0; round < 80; round += 1) {
    const vault = createVault();
    const parts = Array.from({ length: 12 }, () => pieces[Math.floor(random() * pieces.length)] ?? '');
    const text = draw(parts.join(''));
    const masked = maskSecrets(text, vault);
    expect(unmask(masked, vault)).toEqual({ ok: true, text });
    // A text can be masked more than once on its way to the model, also by an attempt with an empty vault.
    expect(maskSecrets(masked, vault)).toBe(masked);
    expect(maskSecrets(masked, createVault(vault.key))).toBe(masked);
  }
});

test('our token is recognized before its secret is known, and is restored once the secret was read again', () => {
  const secret = draw('ghp_{an36}');
  const masked = maskSecrets(`a "${secret}"`, createVault('key'));
  const later = createVault('key');
  expect(listTokens(masked, later)).toEqual([masked.slice(3, -1)]);
  expect(listTokens(masked, createVault('another'))).toEqual([]);
  expect(unmask(masked, later)).toEqual({ ok: false, reason: expect.stringContaining('not known any more') });
  // By any rule.
  maskSecrets(`API_TOKEN=${secret}`, later);
  expect(unmask(masked, later)).toEqual({ ok: true, text: `a "${secret}"` });
});

test('a text with too many secrets is hidden from there on, and can be restored', () => {
  const vault = createVault('key');
  const text = Array.from({ length: 2_500 }, () => `token=${draw('ghp_{an36}')} ok`).join('\n');
  const masked = maskSecrets(text, vault);
  expect(masked.match(/github-token⟧ ok\n/g)).toHaveLength(2_000);
  expect(masked).toMatch(/\ntoken=⟦secret:\w+:not-scanned⟧$/);
  expect(unmask(masked, vault)).toEqual({ ok: true, text });
  expect(maskSecrets('token ok', vault)).toBe('token ok');
});

test('a program that prints endless secrets does not fill the memory', () => {
  const vault = createVault('key');
  for (let round = 0; round < 8; round += 1)
    maskSecrets(Array.from({ length: 1_000 }, () => `token=${draw('ghp_{an36}')}`).join('\n'), vault);
  expect(vault.secrets.size).toBeLessThanOrEqual(5_000);
  expect(vault.known.size).toBeLessThanOrEqual(5_000);
});

test('other text in brackets is left alone', () => {
  const text = '⟦e₁ + e₂⟧ = ⟦e₁⟧ + ⟦e₂⟧ : ℕ\n⟦ s ⟧\nconst secret: string = "";\n{secret:1234}';
  const vault = createVault();
  expect(maskSecrets(text, vault)).toBe(text);
  expect(unmask(text, vault)).toEqual({ ok: true, text });
});

describe('what the model writes', () => {
  const vault = createVault('key');
  const masked = maskSecrets(`"${draw('ghp_{an36}')}"`, vault).slice(1, -1);
  const [, id = ''] = masked.split(':');
  test.each([
    ['an unknown token', '⟦secret:0000000000000000:github-token⟧'],
    ['another rule', masked.replace('github-token', 'github')],
    ['half a token', masked.slice(0, 16)],
    ['the other half', masked.slice(8)],
    ['other brackets', `[[secret:${id}:github-token]]`],
    ['capitals', masked.toUpperCase()],
    ['a space', masked.replace('⟦', '⟦ ')],
    ['an escape', masked.replace('⟦', '\\u27e6')],
    ['a token beside a good one', `${masked} ${masked.slice(0, 10)}`],
    ['a longer one', masked.replace(':github', '0:github')],
  ])('with %s is refused', (_, text) => {
    expect(unmask(`x = "${text}"`, vault)).toEqual({
      ok: false,
      reason: expect.stringContaining('exactly as it was shown'),
    });
  });
  test('without a token stays as it is', () => {
    expect(unmask('const secret: string = read();', vault)).toEqual({
      ok: true,
      text: 'const secret: string = read();',
    });
  });
});
