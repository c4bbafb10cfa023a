import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { addUserConfig, readUserConfig, userConfigPath } from './read-user-config.ts';
import { optionsOf, settingNames } from './user-config.ts';

let home: string;
beforeEach(() => {
  home = openFolder();
});

function read(text: string) {
  const path = userConfigPath({ HOME: home });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return readUserConfig({ HOME: home });
}

test('the file is in XDG_CONFIG_HOME, or in ~/.config', () => {
  const pathWith = (XDG_CONFIG_HOME: string) => userConfigPath({ HOME: '/home/ana', XDG_CONFIG_HOME });
  expect(pathWith('/etc/ana')).toBe('/etc/ana/fettle/config.yml');
  expect(pathWith('relative')).toBe('/home/ana/.config/fettle/config.yml');
  expect(pathWith('')).toBe('/home/ana/.config/fettle/config.yml');
});

test('without a file, and with an empty one, nothing is set', () => {
  expect(readUserConfig({ HOME: home })).toEqual({});
  expect(read('# nothing yet\n')).toEqual({});
});

test('~ is the home folder, and only in paths', () => {
  expect(read('repo: ~/shop\nhome: "~"\nmodel: ~x\n')).toEqual({
    repo: join(home, 'shop'),
    home,
    model: '~x',
  });
});

test.each([
  ['an unknown key', 'model: a\n\nmodle: b\n', 'modle: is not a known field (line 3)'],
  [
    'an unknown key of a group',
    'budgets:\n  usd: 1\n  euro: 1\n',
    'budgets.euro: is not a known field (line 3)',
  ],
  ['a wrong value', 'review: sometimes\n', 'review: must be true or false (line 1)'],
  ['what is no YAML', 'review: [', 'Flow sequence'],
])('%s is an error with the line', (_, text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('a folder in its place and a huge file are errors, not crashes', () => {
  expect(() => read(`# ${'x'.repeat(100_000)}\n`)).toThrow('is larger than 100000 bytes');
  rmSync(userConfigPath({ HOME: home }));
  mkdirSync(userConfigPath({ HOME: home }));
  expect(() => readUserConfig({ HOME: home })).toThrow('cannot be read: EISDIR');
});

test('an environment variable wins, also as NAME_FILE; an empty one does not count', () => {
  const config = { model: 'of-the-file', url: 'http://file', tokenFile: '/file' };
  const environment = { FETTLE_MODEL_FILE: '/model', FETTLE_URL: '', FETTLE_TOKEN: 'given' };
  expect(addUserConfig(environment, config)).toEqual({ ...environment, FETTLE_URL: 'http://file' });
});

test('options get their values as the command line would give them', () => {
  expect([...optionsOf({ review: false, follow: true, budgets: { usd: 0.5, turns: 9 } })]).toEqual([
    ['review', false],
    ['follow', true],
    ['maxTurns', '9'],
    ['maxUsd', '0.5'],
  ]);
  expect(settingNames).toContain('budgets.usd');
});
