import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readSettings, SettingsError } from './read-settings.ts';

const shape = {
  FETTLE_PORT: z.coerce.number().int().min(0).max(65_535).default(4747).describe('for example 4747'),
  FETTLE_KEY: z.string().min(8).describe('at least 8 characters'),
};

test('reads values and defaults', () => {
  expect(readSettings(shape, { FETTLE_KEY: '12345678' })).toEqual({
    FETTLE_PORT: 4747,
    FETTLE_KEY: '12345678',
  });
});

test('reads a secret from its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  try {
    writeFileSync(join(folder, 'key'), 'from-a-file\n');
    const settings = readSettings(shape, { FETTLE_KEY_FILE: join(folder, 'key') });
    expect(settings.FETTLE_KEY).toBe('from-a-file');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an empty file means that the setting is not set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'));
  try {
    writeFileSync(join(folder, 'port'), '\n');
    const environment = { FETTLE_KEY: '12345678', FETTLE_PORT_FILE: join(folder, 'port') };
    expect(readSettings(shape, environment).FETTLE_PORT).toBe(4747);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('names the setting and never shows its value', () => {
  const read = () => readSettings(shape, { FETTLE_PORT: 'hunter2', FETTLE_KEY: 'short' });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(/FETTLE_PORT: .*\(for example 4747\)\nFETTLE_KEY: .*\(at least 8 characters\)/);
  expect(read).not.toThrow(/hunter2|short/);
});

test('names a file that cannot be read', () => {
  expect(() => readSettings(shape, { FETTLE_KEY_FILE: '/nowhere/key' })).toThrow(
    'FETTLE_KEY_FILE: cannot read /nowhere/key: ENOENT',
  );
});
