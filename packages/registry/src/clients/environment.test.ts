import { expect, test } from 'vitest';
import { clientEnvironment } from './environment.ts';

test('a package manager without a registry does not try again, and one with a registry may', () => {
  const none = clientEnvironment({ origins: {}, manager: undefined });
  expect(none).toMatchObject({ PIP_RETRIES: '0', CARGO_NET_RETRY: '0', npm_config_fetch_retries: '0' });
  const origins = { npm: 'http://127.0.0.1:1', pypi: 'http://127.0.0.1:2' };
  const both = clientEnvironment({ origins, manager: 'npm' });
  expect(both).toMatchObject({ PIP_RETRIES: '1', CARGO_NET_RETRY: '0', npm_config_fetch_retries: '1' });
});
