import { type GithubStatus, githubStatusSchema } from '@fettle/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Dependencies } from '../dependencies.ts';

const notConnected: Omit<GithubStatus, 'url'> = {
  ...{ kind: 'none', login: null, appUrl: null, installations: [], lastDelivery: null },
  notes: ['GitHub is not connected: run `fettle github setup`, or set GITHUB_TOKEN and GITHUB_REPOSITORIES'],
};

export function githubRoutes({ github, config }: Dependencies): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/v1/github',
      {
        schema: {
          summary: 'What Fettle has access to on GitHub, and what it lacks',
          response: { 200: githubStatusSchema },
        },
      },
      async () => {
        const { url } = config.github;
        if (!github) return { ...notConnected, url };
        return { ...(await github.status()), url, lastDelivery: null };
      },
    );
  };
}
