import { expect, test } from 'vitest';
import { contentRules } from './content-rule.ts';
import { judgeContent } from './judge-content.ts';

const judge = (path: string, after: string, before?: string) =>
  judgeContent({
    path,
    after: Buffer.from(after),
    ...(before !== undefined && { before: Buffer.from(before) }),
  });

test('an objection names the place, the text, the reason, the rule and an alternative', () => {
  expect(judge('src/a.ts', 'const a = 1;\nconst b = "\u200b";\n')).toEqual([
    { rule: 'invisible-character', ...contentRules['invisible-character'], line: 2, token: 'U+200B' },
  ]);
});

test('duplicates are reported once, different objections separately', () => {
  const said = judge('src/a.ts', '\u200b\n\u200b\n\u202e\n<<<<<<< HEAD\n');
  expect(said.map(({ rule, line }) => [rule, line])).toEqual([
    ['invisible-character', 1],
    ['bidirectional-control', 3],
    ['conflict-marker', 4],
  ]);
});

test('every new package of a manifest is named', () => {
  const said = judge('package.json', '{"dependencies":{"a":"1","b":"^2"},"devDependencies":{"c":"*"}}', '{}');
  expect(said.map(({ token }) => token)).toEqual(['c@*', 'a@1', 'b@^2']);
});

test('registries that the operator allows are registries', () => {
  const after = Buffer.from(
    '{"packages":{"node_modules/x":{"resolved":"https://npm.corp.example/x/-/x-1.tgz"}}}',
  );
  expect(judgeContent({ path: 'package-lock.json', after })).toMatchObject([{ rule: 'dependency-source' }]);
  const registries = ['https://npm.corp.example/npm/'];
  expect(judgeContent({ path: 'package-lock.json', after }, { registries })).toEqual([]);
});

test('the operator sets the maximum size, and a file that was larger may stay', () => {
  const file = { path: 'a.txt', after: Buffer.from('0123456789') };
  expect(judgeContent(file, { maxBytes: 9 })).toMatchObject([{ rule: 'too-large', token: '10 bytes' }]);
  expect(judgeContent(file, { maxBytes: 10 })).toEqual([]);
  expect(judgeContent({ ...file, before: Buffer.from('9876543210') }, { maxBytes: 9 })).toEqual([]);
});

test('a deeply nested manifest or lockfile is denied, not followed', () => {
  const deep = (open: string, close: string) => `${open.repeat(20_000)}"x"${close.repeat(20_000)}`;
  expect(judge('package.json', `{"overrides":${deep('{"a":', '}')}}`)[0]?.decision).toBe('deny');
  expect(
    judge('package-lock.json', `{"dependencies":${deep('{"a":{"dependencies":', '}}')}}`)[0]?.decision,
  ).toBe('deny');
});

const names = [
  ...['a.ts', 'a.md', 'a.svg', 'a.pdf', 'a.png', 'package.json', 'package-lock.json', 'yarn.lock'],
  ...['pnpm-lock.yaml', 'requirements.txt', 'pyproject.toml', 'Cargo.toml', 'Cargo.lock', 'go.mod'],
  ...['Gemfile', 'bun.lock', 'uv.lock'],
];
const units = [
  ...['\u{1f3f4}\u{e0067}', '\u202e\n', '\u200d', '<image ', '![', '](https://', '[a]: ', 'src='],
  ...['"https://', 'git+https://a ', 'a@', 'onload ', 'java ', '&#1;', '=> ', 'https://a?a=', '[x.'],
  ...['```\n<<<<<<< x\n', '  ', 'x = ', '/JS', '{"a":'],
];

test.each(names)('%s takes linear time on hostile content', (path) => {
  for (const unit of units) {
    const after = Buffer.from(unit.repeat(Math.ceil(200_000 / Buffer.byteLength(unit))));
    const startedAt = performance.now();
    judgeContent({ path, after });
    // Many times what it needs. A pattern that backtracks would take minutes.
    expect(performance.now() - startedAt, JSON.stringify(unit)).toBeLessThan(10_000);
  }
});
