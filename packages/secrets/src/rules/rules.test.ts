import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { createRandom, synthesize } from '../testing/synthesize.ts';
import { lookAlikes } from './look-alikes.ts';
import { maintainedMarks, readFromVersion } from './maintained-marks.ts';
import { maintainedRules } from './maintained-rules.ts';
import { markOf, noteMarks } from './marks.ts';
import { isLookAlike, prepareRule } from './own-rules.ts';
import { secretRules } from './rule-table.ts';

const random = createRandom(1);
const draw = (template: string) => synthesize(template, random);
/** Enough draws that the result does not depend on one of them, whatever the seed. */
const DRAWS = 200;
const drawMany = (template: string) => Array.from({ length: DRAWS }, () => draw(template));
/** A format is found every time. A rule that goes by how random a value looks misses 3 to 9 of 100. */
const LEAST_SHARE = { medium: 0.8, other: 1 };

describe.each(secretRules)('rule $id', (rule) => {
  const scan = prepareRule(rule);
  const find = (text: string) => scan(text, noteMarks(text));

  test.each(rule.matches)('finds %s', (template) => {
    const found = drawMany(template).flatMap((text) =>
      find(text)
        .slice(0, 1)
        .map((match) => ({ text, match })),
    );
    const least = rule.severity === 'medium' ? LEAST_SHARE.medium : LEAST_SHARE.other;
    expect(found.length).toBeGreaterThanOrEqual(least * DRAWS);
    for (const { text, match } of found) {
      expect(match).toMatchObject({ rule: rule.id, severity: rule.severity });
      expect(text.slice(match.start, match.end)).toBe(match.value);
    }
  });
  test.each(rule.leaves)('leaves %s alone', (template) => {
    const alarms = drawMany(template).flatMap((text) =>
      find(text).filter((match) => !isLookAlike(match, text)),
    );
    expect(alarms).toEqual([]);
  });
  test('has names and patterns of its own', () => {
    expect(rule.patterns.every(({ flags }) => flags.startsWith('g'))).toBe(true);
    expect(secretRules.filter(({ id }) => id === rule.id)).toHaveLength(1);
  });
});

describe.each(lookAlikes)('look-alike $id', (rule) => {
  const severity = rule.guessesOnly ? 'medium' : 'high';
  const judge = (text: string) => {
    const [before = '', value = ''] = text.split('|');
    const match = {
      rule: 'x',
      severity,
      hidden: false,
      value,
      start: before.length,
      end: before.length + value.length,
    } as const;
    return isLookAlike(match, before + value);
  };
  test.each(rule.matches)('is %s', (template) => expect(drawMany(template).every(judge)).toBe(true));
  test.each(rule.leaves)('is not %s', (template) => expect(drawMany(template).some(judge)).toBe(false));
});

test('a known format stays a secret beside the name of a digest', () => {
  const text = draw('commit: ghp_{an36}');
  const github = secretRules.find(({ id }) => id === 'github-token');
  const [match] = github ? prepareRule(github)(text, () => true) : [];
  expect(match && isLookAlike(match, text)).toBe(false);
});

test('the examples of specifications are known, as hashes', () => {
  const token = ['2YotnFZFEjr', '1zCsicMWpAA'].join('');
  const match = {
    rule: 'x',
    severity: 'high',
    start: 0,
    end: token.length,
    value: token,
    hidden: false,
  } as const;
  expect(isLookAlike(match, token)).toBe(true);
  expect(isLookAlike({ ...match, value: `${token}x` }, `${token}x`)).toBe(false);
});

test('every match of a pattern contains its marker', () => {
  expect(markOf(/(?<![\w-])npm_[A-Za-z0-9]{36}/g)).toBe('npm_');
  expect(markOf(/sk-(?:proj-)?[\w-]{16,100}T3Blbk[\w-]{16}/g)).toBe('T3Blbk');
  expect(markOf(/abcd?\.efg+/g)).toBe('.efg');
  expect(markOf(/abc|defg/g)).toBe('');
  expect(markOf(/gh[ps]_/g)).toBe('');
});

test.each([100, 10_000])('a marker is found anywhere in a text of %i characters', (length) => {
  for (const at of [0, length - 4, length >> 1]) {
    const mayHave = noteMarks(`${'.'.repeat(at)}npm_${'.'.repeat(length - at - 4)}`);
    expect([mayHave('npm_'), mayHave('NPM_'), mayHave('npmx')]).toEqual([true, true, false]);
  }
});

test('the markers of maintained rules belong to the installed version', () => {
  const installed = createRequire(import.meta.url)(
    '@secretlint/secretlint-rule-preset-recommend/package.json',
  );
  expect(installed.version).toBe(readFromVersion);
});

const maintainedSamples: Record<string, string> = {
  anthropic: 'sk-ant-api03-{b64u93}AA',
  basicauth: 'https://deploy:{an20}@git.acme.io/x',
  cloudflare: 'cfut_{an40}{hx8}',
  aws: 'AWS_SECRET_ACCESS_KEY={an40}',
  'database-connection-string': 'MySQL://app:{an16}@db.acme.io/x',
  databricks: 'dapi{hx32}',
  docker: 'dckr_pat_{b64u27}',
  figma: 'figd_{b64u43}',
  github: 'ghp_{an36}',
  gitlab: 'glpat-{b64u20}',
  grafana: 'glsa_{an32}_{hx8}',
  groq: 'gsk_{an52}',
  'hashicorp-vault': 'hvs.{b64u95}',
  linear: 'lin_api_{an40}',
  notion: 'ntn_{dg11}{an35}',
  npm: 'npm_{an36}',
  openai: 'sk-{an20}T3BlbkFJ{an20}',
  privatekey: '-----BEGIN PRIVATE KEY-----\nMII{pem800}\n-----END PRIVATE KEY-----',
  sendgrid: 'SG.{an22}.{an43}',
  shopify: 'shpat_{hx32}',
  slack: 'https://HOOKS.slack.com/services/T{uc8}/B{uc8}/{an24}',
  stripe: 'sk_live_{an24}',
  tailscale: 'tskey-auth-{an12}-{an32}',
  vercel: 'vcp_{an24}',
};

describe.each(Object.entries(maintainedSamples))('maintained rule %s', (id, sample) => {
  test('finds its sample, also after a comment that would disable the rule', () => {
    const text = `/* secretlint-disable */ "${draw(sample)}"`;
    const found = maintainedRules.flatMap((scan) => scan(text, noteMarks(text)));
    const match = found.find(({ rule }) => rule === id);
    expect(match).toBeDefined();
    expect(text.slice(match?.start, match?.end)).toBe(match?.value);
    expect(maintainedMarks[id]).toBeDefined();
  });
});
