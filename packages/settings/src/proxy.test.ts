import { expect, test } from 'vitest';
import { listProxySecrets, readProxy, SettingsError } from './index.ts';

test('the variables of both cases are read, and empty ones are not set', () => {
  const environment = {
    HTTP_PROXY: 'http://one.example.com:3128',
    https_proxy: 'https://two.example.com',
    HTTPS_PROXY: '',
    no_proxy: 'localhost,.example.com',
    PATH: '/bin',
  };
  expect(readProxy(environment)).toEqual({
    HTTP_PROXY: 'http://one.example.com:3128',
    https_proxy: 'https://two.example.com',
    no_proxy: 'localhost,.example.com',
  });
});

test('an address without a scheme is an http proxy', () => {
  expect(readProxy({ HTTPS_PROXY: 'proxy.example.com:3128' })).toEqual({
    HTTPS_PROXY: 'http://proxy.example.com:3128',
  });
});

test.each(['socks5://user:secret@proxy.example.com', 'http://user:secret@:bad'])(
  'a proxy that cannot be used is an error that does not show the password: %s',
  (value) => {
    const read = () => readProxy({ HTTPS_PROXY: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(/^HTTPS_PROXY: must be an http or https URL, for example \S+$/);
  },
);

test('the passwords of proxies are secrets', () => {
  const password = 's%40cret';
  const proxy = readProxy({
    HTTPS_PROXY: `http://user:${password}@proxy.example.com`,
    NO_PROXY: 'localhost',
  });
  expect(listProxySecrets(proxy)).toEqual([password, 's@cret']);
});
