import { expect, test } from 'vitest';
import { findUnknownSettings } from './unknown-settings.ts';

test('a misspelt setting is found, and nothing else', () => {
  const environment = {
    FETTLE_MAX_DOLLARS: '5',
    FETTLE_MAX_USD: '5',
    FETTLE_TOKEN_FILE: '/token',
    FETTLE_TEST_CRASH: 'claimed',
    PATH: '/bin',
  };
  expect(findUnknownSettings(environment)).toEqual(['FETTLE_MAX_DOLLARS']);
});
