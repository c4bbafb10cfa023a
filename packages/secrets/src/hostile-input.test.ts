/**
 * Runs each pattern, ours and the maintained ones, on texts made to be slow for it. The limit is many times what it
 * needs; a pattern that backtracks takes minutes.
 */
import { describe, expect, test } from 'vitest';
import { decode } from './decode/decode.ts';
import { maintainedRules } from './rules/maintained-rules.ts';
import { prepareRule } from './rules/own-rules.ts';
import { secretRules } from './rules/rule-table.ts';
import { scanText } from './scan-text.ts';
import { createRandom, synthesize } from './testing/synthesize.ts';

const length = 256 * 1024;
const limitMs = 15_000;
const fill = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const pieces = [
  ...['a', ' ', '\n', '"', "'a", '\\', '-', '=', ':', '%41', '\\u0041', '/', '.', '0', '1,', 'A ', 'eyJ'],
  ...['ghs_1_', '{', '[', '"a",', '["a",', '"a" + ', "'' + ''", 'http://', 'http://a:', '://:'],
  ...['postgres://a:b', 'mongodb://', 'xoxb-a-', 'xoxb-', 'secret', 'secret=', 'secret: "', 'token = '],
  ...['passwordpassword', 'api_key', '_key', '--token ', 'authorization: bearer '],
  ...['-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\n', '-----BEGIN', 'sk-', 'SG.a.', 'AT'],
  ...['data:,', '${"', '&#1', 'sha256', 'abcdefgh', 'SECRET_ACCESS_KEY', 'AWS_SECRET_ACCESS_KEY='],
  ...['_authToken=', 'ops_eyAAAA', 'AKIA', 'M', 'basic '],
];
const texts = [
  ...pieces.map((piece) => [piece, fill(piece)] as const),
  ['a dot after much', `${fill(`${'ghs_1_'.repeat(166)}.${'x'.repeat(10_000)} `)}`],
  ['words between dots', fill(`SG.a.${'a'.repeat(260)} `)],
  ['quotes that never close', fill('secret="'.padEnd(250, 'x'))],
  ['headers that go on', fill(`-----BEGIN PRIVATE KEY-----${'Ab3/'.repeat(2_900)}!`)],
] as const;

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

describe.each(texts)('on %j again and again', (_, text) => {
  test('every rule, and the decoding, ends', () => {
    const slow = [
      ...secretRules.map((rule) => ({ id: rule.id, ms: timed(() => prepareRule(rule)(text, () => true)) })),
      ...maintainedRules.map((scan, at) => ({
        id: `maintained ${at}`,
        ms: timed(() => scan(text, () => true)),
      })),
      { id: 'decoding', ms: timed(() => decode(text)) },
    ].filter(({ ms }) => ms > limitMs);
    expect(slow).toEqual([]);
  });
});

describe.each(secretRules)('rule $id', (rule) => {
  const random = createRandom(1);
  const parts = rule.matches.map((template) => synthesize(template, random));
  const beginnings = parts.flatMap((part) =>
    [0.3, 0.6, 0.95].map((share) => part.slice(0, part.length * share)),
  );
  test.each(beginnings)('ends on a beginning of it (case %#)', (beginning) => {
    expect(timed(() => prepareRule(rule)(fill(beginning), () => true))).toBeLessThan(limitMs);
  });
});

test('encoded in encoded in encoded ends', () => {
  let text = 'token';
  while (text.length < length) text = Buffer.from(text.repeat(3)).toString('base64');
  expect(timed(() => scanText(text, { timeoutMs: limitMs }))).toBeLessThan(2 * limitMs);
});
