/** Starts a fake whose answers and webhooks are compared with GitHub's schemas, and clients of it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { App } from '@octokit/app';
import { Octokit } from '@octokit/core';
import { expect, onTestFinished } from 'vitest';
import { createValidator, type Validator } from '../schemas/testing/validate.ts';
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from '../start-fake-github.ts';

export const shop = { owner: 'acme', repo: 'shop' };
export const secret = 'a webhook secret';

export interface StartedGithub extends FakeGithub {
  validator: Validator;
}

export async function startValidated(options: FakeGithubOptions = {}): Promise<StartedGithub> {
  const validator = createValidator();
  const github = await startFakeGithub({
    users: ['ada', 'bob', 'eve'],
    organizations: ['acme', 'other'],
    repositories: [
      {
        name: 'acme/shop',
        files: { 'README.md': 'one\ntwo\nthree\n' },
        roles: { ada: 'admin', bob: 'write' },
      },
      { name: 'acme/till', files: { 'README.md': 'till\n' }, roles: { ada: 'admin' } },
    ],
    app: { name: 'Fettle', installedFor: ['acme'], hook: { secret } },
    onAnswer: validator.onAnswer,
    onWebhook: validator.onWebhook,
    ...options,
  });
  onTestFinished(async () => {
    await github.close();
    expect(validator.problems).toEqual([]);
  });
  return { ...github, validator };
}

export function appOf(github: FakeGithub): App {
  if (!github.app) throw new Error('the fake has no App');
  return new App({
    appId: github.app.app.id,
    privateKey: github.app.privateKey,
    webhooks: { secret },
    Octokit: Octokit.defaults({ baseUrl: github.apiUrl, log: quiet }),
  });
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A client with all permissions of the installation. */
export async function installationClient(github: FakeGithub): Promise<Octokit> {
  const [installation] = github.installations();
  return appOf(github).getInstallationOctokit(installation?.id ?? 0);
}

export function tokenClient(github: FakeGithub, token: string): Octokit {
  return new Octokit({ baseUrl: github.apiUrl, auth: token, log: quiet });
}

export interface ScopedToken {
  text: string;
  octokit: Octokit;
}

export async function scopedToken(
  github: FakeGithub,
  request: { repositories?: string[]; permissions?: Record<string, 'read' | 'write'> },
): Promise<ScopedToken> {
  const [installation] = github.installations();
  const { data } = await appOf(github).octokit.request(
    'POST /app/installations/{installation_id}/access_tokens',
    {
      installation_id: installation?.id ?? 0,
      ...request,
    },
  );
  return { text: data.token, octokit: tokenClient(github, data.token) };
}

export interface Received {
  event: string;
  id: string;
  signature: string;
  body: string;
}

/** Receives webhooks. `answer` chooses the status. */
export async function startReceiver(answer: (received: Received) => number = () => 202) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    const header = (name: string) => String(request.headers[name] ?? '');
    const delivery = {
      event: header('x-github-event'),
      id: header('x-github-delivery'),
      signature: header('x-hub-signature-256'),
      body,
    };
    received.push(delivery);
    response.writeHead(answer(delivery)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return {
    url,
    received,
    events: () => received.map(({ event, body }) => `${event} ${JSON.parse(body).action ?? ''}`.trim()),
  };
}

/** Waits for a rejection and returns its status. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 0,
    (error: { status?: number }) => error.status ?? -1,
  );
}
