import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeOwnedFolder } from '@fettle/sandbox';
import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { openFolder } from '../testing/open-folder.ts';
import { withBroker } from './with-broker.ts';

const engine = process.env.FETTLE_TEST_ENGINE;
const { PATH, FETTLE_TEST_RUN } = process.env;

test.skipIf(engine === undefined)('removes what a killed broker left, and ends after the call', async () => {
  const home = openFolder();
  const place = join(home, 'brokers');
  const list = () => readdirSync(place);
  mkdirSync(place, { recursive: true });
  const own = makeOwnedFolder(place);
  // The same process id with another start time.
  const dead = basename(own).replace(/-\d+-(\w+)$/, '-1-$1');
  renameSync(own, join(place, dead));
  const config = readConfig({
    ...{ PATH, FETTLE_TEST_RUN, DOCKER_HOST: engine, FETTLE_HOME: home, FETTLE_SANDBOX: 'docker' },
  });
  const { signal } = new AbortController();
  const during = await withBroker(config, signal, async ({ broker: first }) =>
    withBroker(config, signal, async ({ broker: second }) => {
      expect(first?.url).not.toBe(second?.url);
      return list();
    }),
  );
  expect(during).toHaveLength(2);
  expect(during).not.toContain(dead);
  expect(list()).toEqual([]);
});
