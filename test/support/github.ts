/** A platform that is connected to a fake GitHub as an App. */
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from '@fettle/fake-github';
import type { Conversation } from '@fettle/rehearsal';
import { z } from 'zod';
import { atEnd, openPlatform } from './lifetime.ts';
import type { Environment } from './service-process.ts';

export interface GithubPlatformOptions {
  conversations: Conversation[];
  files: Record<string, string>;
  settings?: Environment;
  github?: FakeGithubOptions;
}

const pullSchema = z.object({
  title: z.string(),
  body: z.string(),
  state: z.string(),
  draft: z.boolean(),
  labels: z.array(z.object({ name: z.string() })),
  requested_reviewers: z.array(z.object({ login: z.string() })),
});
const commitsSchema = z.array(z.object({ commit: z.object({ message: z.string() }) }));
const name = 'acme/shop';

export async function openGithubPlatform({ conversations, files, settings, github }: GithubPlatformOptions) {
  const fake = await startFakeGithub({
    repositories: [{ name, files, roles: { ada: 'write' } }],
    app: { name: 'Fettle', installedFor: ['acme'] },
    ...github,
  });
  atEnd(fake.close);
  const platform = await openPlatform({
    conversations,
    settings: { ...appSettings(fake), ...settings },
  });
  const reader = fake.createToken('ada', { scopes: ['repo'] });

  async function read(path: string): Promise<unknown> {
    const headers = { authorization: `token ${reader}` };
    return (await fetch(`${fake.apiUrl}/repos/${name}/${path}`, { headers })).json();
  }

  return {
    ...{ fake, platform },
    readPull: async (number: number) => pullSchema.parse(await read(`pulls/${number}`)),
    countPulls: async () => z.array(z.unknown()).parse(await read('pulls?state=all')).length,
    /** The first line of each commit, oldest first. */
    async listCommits(number: number): Promise<string[]> {
      const commits = commitsSchema.parse(await read(`pulls/${number}/commits`));
      return commits.map(({ commit }) => commit.message.split('\n')[0] ?? '');
    },
  };
}

export function appSettings({ app, apiUrl, url }: FakeGithub): Environment {
  if (!app) throw new Error('this fake GitHub has no App');
  return {
    GITHUB_APP_ID: String(app.app.id),
    GITHUB_APP_PRIVATE_KEY: app.privateKey,
    GITHUB_API_URL: apiUrl,
    GITHUB_URL: url,
  };
}
