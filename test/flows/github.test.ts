/** From a request to a pull request on GitHub, over real processes, real HTTP and real git. */
import { startFakeGithub } from '@fettle/fake-github';
import { conversation, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { proposalOf } from '../support/events.ts';
import { atEnd, openPlatform } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';

const fake = await startFakeGithub({
  repositories: [{ name: 'acme/shop', files: brokenSum, roles: { ada: 'write' } }],
  app: { name: 'Fettle', installedFor: ['acme'] },
});
atEnd(fake.close);
const { app } = fake;
if (!app) throw new Error('the fake has an App');

const platform = await openPlatform({
  conversations: [conversation('repair', [repairSum, turn(say('Add up'))])],
  settings: {
    GITHUB_APP_ID: String(app.app.id),
    GITHUB_APP_PRIVATE_KEY: app.privateKey,
    GITHUB_API_URL: fake.apiUrl,
    GITHUB_URL: fake.url,
  },
});

test('a request ends with one pull request', async () => {
  const { operation } = await platform.run({
    ...{ kind: 'fix', description: 'the sum is wrong', repository: 'acme/shop' },
  });
  const { pullRequest } = proposalOf(operation);
  expect(pullRequest).toMatchObject({ url: `${fake.url}/acme/shop/pull/1`, number: 1 });
});
