import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '@fettle/settings';
import { expect, test } from 'vitest';
import { openFolder } from '../testing/open-folder.ts';
import { findModelFlaw, modelNamed, modelOf, modelSettings } from './model-config.ts';

const read = (environment: Record<string, string>) =>
  modelOf(readSettings(modelSettings, environment, findModelFlaw));

const defaults = {
  ...{ proxy: {}, contextTokens: undefined, effort: undefined },
  ...{ maxOutputTokens: 16_000, maxRetries: 8, idleMs: 90_000 },
};

test('a plain name is an Anthropic model, with its thinking budget', () => {
  expect(read({ ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', FETTLE_MODEL_THINKING: '2048' })).toEqual({
    ...{ service: 'anthropic', model: 'claude-sonnet-5-5', apiKey: 'a', baseUrl: undefined },
    ...defaults,
    thinking: 2048,
  });
});

test('openai:… uses the OpenAI key and address, and needs no Anthropic key', () => {
  const OPENAI_API_KEY_FILE = join(openFolder(), 'key');
  writeFileSync(OPENAI_API_KEY_FILE, 'from-a-file\n');
  const environment = {
    ...{ FETTLE_MODEL: 'openai:org/model:free', OPENAI_API_KEY_FILE },
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
    ...{ FETTLE_MODEL_CONTEXT_TOKENS: '32000', FETTLE_MODEL_EFFORT: 'low' },
  };
  expect(read(environment)).toEqual({
    ...{ service: 'openai', model: 'org/model:free', apiKey: 'from-a-file' },
    ...{ baseUrl: 'http://127.0.0.1:11434/v1', ...defaults, contextTokens: 32_000, effort: 'low' },
  });
});

test('the proxy variables are read in upper and lower case, and an empty one means none', () => {
  const proxy = {
    ...{ HTTP_PROXY: '', HTTPS_PROXY: 'http://u:p@proxy:3128', NO_PROXY: 'localhost' },
    ...{ http_proxy: 'http://proxy', https_proxy: 'https://proxy', no_proxy: '.example.com' },
  };
  expect(read({ ANTHROPIC_API_KEY: 'a', ...proxy }).proxy).toEqual({ ...proxy, HTTP_PROXY: undefined });
});

test.each(['HTTPS_PROXY', 'http_proxy'])(
  'a %s of another kind is rejected without being repeated',
  (name) => {
    const password = 'top-secret';
    const wrong = { ANTHROPIC_API_KEY: 'a', [name]: `socks5://user:${password}@proxy` };
    expect(() => read(wrong)).toThrow(`${name}: must be a URL that starts with http:// or https://`);
    expect(() => read(wrong)).not.toThrow(password);
  },
);

test.each<[string, Record<string, string>, RegExp]>([
  ['no key', {}, /^ANTHROPIC_API_KEY: is not set/],
  ['the other key', { FETTLE_MODEL: 'openai:m', ANTHROPIC_API_KEY: 'a' }, /^OPENAI_API_KEY: is not set/],
  ['no name', { FETTLE_MODEL: 'openai: ', OPENAI_API_KEY: 'o' }, /^FETTLE_MODEL: /],
  [
    'thinking for an openai: model',
    { FETTLE_MODEL: 'openai:m', OPENAI_API_KEY: 'o', FETTLE_MODEL_THINKING: 'off' },
    /^FETTLE_MODEL_THINKING: has no effect/,
  ],
  [
    'a thinking budget above the answer limit',
    { ANTHROPIC_API_KEY: 'a', FETTLE_MODEL_THINKING: '4000', FETTLE_MODEL_OUTPUT_TOKENS: '4000' },
    /^FETTLE_MODEL_THINKING: must be less than/,
  ],
  ['no name', { FETTLE_MODEL: 'openai:', OPENAI_API_KEY: 'o' }, /^FETTLE_MODEL: must name a model/],
  [
    'a thinking budget below the minimum',
    { ANTHROPIC_API_KEY: 'a', FETTLE_MODEL_THINKING: '10' },
    /^FETTLE_MODEL_THINKING: /,
  ],
])('%s: the error names the setting', (_name, environment, message) => {
  expect(() => read(environment)).toThrow(message);
});

test('an invalid key is not shown in the error', () => {
  const environment = { FETTLE_MODEL: 'openai:m', OPENAI_API_KEY: 'two words' };
  expect(() => read(environment)).toThrow(/^OPENAI_API_KEY: is not a key$/);
});

test('a model that a request names has the settings of the worker, except those of the worker’s own model', () => {
  const environment = {
    ...{ ANTHROPIC_API_KEY: 'a', FETTLE_MODEL_THINKING: '2048' },
    ...{ FETTLE_MODEL_CONTEXT_TOKENS: '32000', FETTLE_MODEL_EFFORT: 'low' },
  };
  const named = (name: string, more: Record<string, string> = {}) =>
    modelNamed(name, readSettings(modelSettings, { ...environment, ...more }, findModelFlaw));
  expect(named('claude-opus-5-5')).toMatchObject({
    ok: true,
    choice: { service: 'anthropic', model: 'claude-opus-5-5', contextTokens: undefined, thinking: 2048 },
  });
  expect(named('claude-sonnet-5-5')).toMatchObject({ choice: { contextTokens: 32_000 } });
  expect(named('openai:gpt-5.4', { OPENAI_API_KEY: 'o' })).toMatchObject({
    ok: true,
    choice: { service: 'openai', model: 'gpt-5.4', apiKey: 'o', effort: 'low' },
  });
  expect(named('openai:gpt-5.4')).toEqual({
    ok: false,
    problem: 'OPENAI_API_KEY: is not set (the key for the model API)',
  });
});
