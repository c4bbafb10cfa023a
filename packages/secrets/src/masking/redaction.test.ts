import { expect, test } from 'vitest';
import { createRandom, synthesize } from '../testing/synthesize.ts';
import { createRedaction } from './redaction.ts';

const random = createRandom(4);
const own = synthesize('{an40}', random);
const token = synthesize('ghp_{an36}', random);

test('own secrets in every spelling, and scanner findings, are removed from texts and data', () => {
  const redaction = createRedaction([own, undefined, '']);
  const encoded = [own, Buffer.from(own).toString('base64'), encodeURIComponent(own)];
  for (const form of encoded) expect(redaction.text(`see ${form} there`)).toMatch(/^see \[masked\]=* there$/);
  expect(redaction.text(`git clone with ${token} now`)).toBe('git clone with [redacted: github-token] now');
  expect(redaction.own(token)).toBe(token);
  expect(redaction.record({ a: [token, encoded] })).toEqual({
    a: [token, ['[masked]', expect.stringMatching(/^\[masked\].{0,3}$/), '[masked]']],
  });
  const data = { a: [`x ${own}`, 1, null, new Date(0)], b: { c: token }, d: true };
  expect(redaction.value(data)).toEqual({
    a: ['x [masked]', 1, null, new Date(0)],
    b: { c: '[redacted: github-token]' },
    d: true,
  });
});

test('field names in data are redacted, too', () => {
  const named = Object.assign(Object.create(null), { a: token });
  const data = { [token]: { [`x-${own}`]: 1 }, named, plainName: 2, 'odd-name of it': 3 };
  expect(createRedaction([own]).value(data)).toEqual({
    '[redacted: github-token]': { 'x-[masked]': 1 },
    named: { a: '[redacted: github-token]' },
    plainName: 2,
    'odd-name of it': 3,
  });
});

test('a token of the vault is not a secret', () => {
  const shown = '⟦secret:77342d3ccb26aef9:address-with-password⟧';
  const text = `postgres://app:${shown}@db/app`;
  expect(createRedaction().text(text)).toBe(text);
  expect(createRedaction().text(text.replace('⟧@', `⟧${own}@`))).not.toContain(own);
});

test('a token stays, whatever its id; a secret hidden in one does not', () => {
  const { text } = createRedaction();
  const tokens = Array.from({ length: 200 }, () => synthesize('⟦secret:{hx16}:private-key⟧', random));
  const written = tokens.flatMap((each) => [`  ${each}\n`, `notes/${each}.txt`, `password=${each}`]);
  expect(written.filter((each) => text(each) !== each)).toEqual([]);
  const hidden = synthesize('dapi{hx32}', random);
  expect(text(`⟦secret:0123456789abcdef:${hidden}⟧`)).not.toContain(hidden);
  expect(text(`⟦secret:0123456789abcdef:aws⟧ ${token}`)).not.toContain(token);
});

test('clean data stays the same object', () => {
  const data = { a: ['one', { b: 'two, and a longer text than that' }] };
  expect(createRedaction([own]).value(data)).toBe(data);
});

test('however many tokens are registered, the secrets of the settings stay masked', () => {
  const redaction = createRedaction([own]);
  for (let index = 0; index < 1_100; index += 1) redaction.register(`token-number-${index}-of-many`);
  expect(redaction.own(`use ${own} now`)).not.toContain(own);
  expect(redaction.own('token-number-1099-of-many')).not.toContain('1099');
});

test('a secret that is registered later is masked from then on', () => {
  const redaction = createRedaction();
  expect(redaction.own(`x ${own}`)).toBe(`x ${own}`);
  redaction.register(own);
  expect(redaction.own(`x ${own}`)).toBe('x [masked]');
  expect(redaction.places(`x ${own}`)).toEqual([{ start: 2, end: 42 }]);
});
