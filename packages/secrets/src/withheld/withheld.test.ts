import { expect, test } from 'vitest';
import { filterNpmrc } from './filter-npmrc.ts';
import { filterYarnrc } from './filter-yarnrc.ts';
import { createLineFinder, listWithheldLines } from './find-lines.ts';
import { listTellingLines } from './telling-lines.ts';

const line = 'DB_PASS=plain words nobody else writes, and rather many of them so that it wraps';

test('usual settings, comments in words and armour are not telling', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of a shell
  const text = [
    ...['NODE_ENV=production', 'LOG_LEVEL="debug"', 'export DATABASE_HOST=localhost'],
    ...['API_ADDRESS=http://localhost:3000/', 'SECRET_TOKEN=', 'SECRET_TOKEN=${OTHER_TOKEN}'],
    ...['# The database of the tests', '// Settings of this machine', '-----BEGIN RSA PRIVATE KEY-----'],
    ...['====================', 'short=1', '"enabled": true,'],
  ].join('\n');
  expect(listTellingLines(text)).toEqual([]);
});

test('other lines are, and so is an assignment that is commented out', () => {
  const lines = [
    line,
    '# DB_PASS=an-older-one',
    'MIIEpAIBAAKCAQEAx',
    '"private_id": "abc-def"',
    'a name that is long',
  ];
  expect(listTellingLines(`${lines.join('\r\n')}\r\n  ${line}\n`)).toEqual(lines);
});

const find = createLineFinder([line]);
const bytes = Buffer.from(`first=1\n${line}\nlast=2\n`);
const wrap = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

test.each([
  ['plain', bytes.toString()],
  ['inside another line', `const a = '${line}';`],
  ['base64', bytes.toString('base64')],
  ['base64 in lines of 76', wrap(bytes.toString('base64'), 76)],
  ['base64 as strings', wrap(bytes.toString('base64'), 40).replace(/.+/g, "  '$&',")],
  ['base64 for addresses', bytes.toString('base64url')],
  ['base64 twice', Buffer.from(bytes.toString('base64')).toString('base64')],
  ['hex', bytes.toString('hex')],
  ['hex in lines of 60', wrap(bytes.toString('hex').toUpperCase(), 60)],
  ['an address', `https://example.org/?q=${encodeURIComponent(line)}`],
  ['unicode escapes', `"${line.replace(/./g, escapeChar)}"`],
])('a line is found: %s', (_, text) => {
  const [found] = listWithheldLines(text, find, 'a.txt');
  expect(found?.finding).toMatchObject({ rule: 'withheld-file', file: 'a.txt' });
  expect(found?.finding.excerpt).not.toContain('nobody');
});

test('other texts hold none', () => {
  for (const text of ['', 'DB_PASS=plain words', bytes.toString('base64').slice(0, 40), 'words\nnobody'])
    expect(listWithheldLines(text, find, 'a.txt')).toEqual([]);
});

test('.npmrc loses its authentication and keeps the rest', () => {
  const text = [
    'registry=https://registry.example.org/',
    '//registry.example.org/:_authToken=a',
    '//registry.example.org/:_password = abc',
    '_auth=abc',
    'always-auth=true',
    'save-exact=true',
    '//registry.example.org/:keyfile=/a',
    '',
  ];
  const filtered = filterNpmrc(text.join('\n'), 'gone');
  expect(filtered).toEqual({
    text: [text[0], '; gone', '; gone', '; gone', text[4], text[5], '; gone', ''].join('\n'),
    removed: [text[1], text[2], text[3], text[6]],
  });
  expect(filterNpmrc('save-exact=true\r\n', 'gone')).toEqual({ text: 'save-exact=true\r\n', removed: [] });
});

test('.yarnrc.yml loses its authentication, also where it is nested', () => {
  const text = [
    'nodeLinker: node-modules',
    'npmAuthToken: abc',
    'npmRegistries:',
    '  //registry.example.org:',
    '    npmAlwaysAuth: true',
    '    "npmAuthIdent": name:word',
    'npmScopes: { acme: { npmAuthToken: "abc" } }',
    'npmAuthToken: >-',
    '  abc',
    'yarnPath: .yarn/releases/yarn-4.4.1.cjs',
    '',
  ];
  const filtered = filterYarnrc(text.join('\n'), 'gone');
  const kept = [0, 2, 3, 4, 9, 10];
  expect(filtered?.text.split('\n')).toEqual(text.map((line, at) => (kept.includes(at) ? line : '# gone')));
  expect(filtered?.removed).toEqual(text.filter((_, at) => !kept.includes(at)));
  expect(filterYarnrc('nodeLinker: pnp\n', 'gone')).toEqual({ text: 'nodeLinker: pnp\n', removed: [] });
});

test.each([
  'a: &token abc\nnpmAuthToken: *token\n',
  '? npmAuthToken\n: abc\n',
  '"npmAuth\\u0054oken": abc\n',
])('a .yarnrc.yml that hides its authentication is withheld as a whole: %j', (text) => {
  expect(filterYarnrc(text, 'gone')).toBeUndefined();
});
