/** The platform as a GitHub App of the fake, with webhooks between them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation } from '@fettle/contract';
import {
  type FakeGithub,
  type FakeGithubOptions,
  type IssueAddress,
  startFakeGithub,
} from '@fettle/fake-github';
import { type Conversation, call, conversation, turn } from '@fettle/rehearsal';
import { appSettings } from './github.ts';
import { atEnd, openPlatform } from './lifetime.ts';
import type { Platform, PlatformOptions } from './platform.ts';
import type { Environment } from './service-process.ts';

export const webhookSecret = 'the-secret-of-the-webhook';

/** Finds nothing wrong in any change. */
export const satisfiedReviewer: Conversation = {
  ...conversation(
    'reviewer',
    Array.from({ length: 8 }, () => turn(call('report_findings', { findings: [] }))),
    {
      match: { pattern: '^Review this change' },
    },
  ),
  agent: 'reviewer',
};

export interface EventPlatform {
  fake: FakeGithub;
  platform: Platform;
  /** The text of the comments of an issue, oldest first. */
  comments(issue: IssueAddress): { id: number; login: string; body: string; reactions: string[] }[];
  operations(): Promise<Operation[]>;
}

export interface EventPlatformOptions extends Omit<PlatformOptions, 'settings'> {
  fake: FakeGithubOptions;
  settings?: Environment;
  /** Without them, Fettle has to fetch every event. */
  hasWebhooks?: boolean;
}

export async function openEventPlatform({
  fake: fakeOptions,
  settings = {},
  hasWebhooks = true,
  ...options
}: EventPlatformOptions): Promise<EventPlatform> {
  const fake = await startFakeGithub({
    ...fakeOptions,
    app: { name: 'Fettle', installedFor: ['acme'], hook: { secret: webhookSecret } },
  });
  atEnd(fake.close);
  const { app } = fake;
  if (!app) throw new Error('the fake has an App');
  const platform = await openPlatform({
    ...options,
    settings: {
      ...appSettings(fake),
      GITHUB_WEBHOOK_SECRET: webhookSecret,
      GITHUB_COLLECT_SECONDS: '1',
      ...settings,
    },
  });
  // Nothing listens at the other address, as behind a firewall.
  app.app.hook.url = hasWebhooks ? `${platform.url}/v1/github/webhooks` : 'http://127.0.0.1:9/';
  return {
    fake,
    platform,
    comments: ({ repository, number }) => {
      const issue = fake.repository(repository).issues.get(number);
      return (issue?.comments ?? []).map(({ id, body, author, reactions }) => ({
        ...{ id, body, login: author.account.login },
        reactions: reactions.map(({ content }) => content),
      }));
    },
    operations: async () => {
      const response = await platform.call('GET', '/v1/operations?limit=200');
      return ((await response.json()) as { operations: Operation[] }).operations;
    },
  };
}

const untilLimitMs = 120_000;

/** Waits until `look` returns something. The limit only ends tests that hang. */
export async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = Date.now() + untilLimitMs; Date.now() < end; await delay(100)) {
    const found = await look();
    if (found !== undefined && found !== false) return found as T;
  }
  throw new Error(`did not happen: ${what}`);
}
