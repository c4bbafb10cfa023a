/** A page on loopback that sends the manifest of the App to GitHub, and receives the code that GitHub sends back. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildManifest } from '@fettle/forge';
import { CliError, exitCodes, interruptedError } from '../../cli-error.ts';

export interface SetupPage {
  githubUrl: string;
  org: string | undefined;
  name: string;
  publicUrl: string | undefined;
}

/** GitHub's code is valid for an hour. */
const timeoutMs = 30 * 60_000;

export async function serveSetup(setup: SetupPage) {
  const state = randomBytes(24).toString('base64url');
  const received = Promise.withResolvers<string>();
  received.promise.catch(() => {});
  const server = createServer((request, response) => send(response, answer(request)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  const url = `http://${host}/`;

  function answer({ url: target = '/', method, headers }: IncomingMessage): Answer {
    // A page elsewhere could reach this server by a name of its own.
    if (headers.host !== host || method !== 'GET') return { status: 403, body: 'Forbidden' };
    const { pathname, searchParams } = new URL(target, url);
    if (pathname === '/') return { status: 200, body: renderForm(setup, url, state) };
    if (pathname !== '/created') return { status: 404, body: 'Not found' };
    const code = searchParams.get('code');
    if (searchParams.get('state') !== state || !code || !/^[\w-]{1,200}$/.test(code)) {
      return { status: 400, body: 'This does not belong to the current setup. Start again in the terminal.' };
    }
    received.resolve(code);
    return { status: 200, body: 'The App was created. Return to the terminal, which lists the next steps.' };
  }

  return {
    url,
    async waitForCode(signal: AbortSignal): Promise<string> {
      const timer = setTimeout(() => received.reject(tooLate()), timeoutMs);
      const interrupt = () => received.reject(interruptedError());
      signal.addEventListener('abort', interrupt);
      try {
        return await received.promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', interrupt);
      }
    },
    async close(): Promise<void> {
      server.closeIdleConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function tooLate(): CliError {
  return new CliError('github_setup_failed', 'GitHub sent no answer within 30 minutes', {
    exitCode: exitCodes.failed,
    advice: 'Run the command again.',
  });
}

interface Answer {
  status: number;
  body: string;
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const page = body.startsWith('<') ? body : `<p>${body}</p>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>Fettle</title>${page}\n`);
}

function renderForm({ githubUrl, org, name, publicUrl }: SetupPage, url: string, state: string): string {
  const path = org === undefined ? '/settings/apps/new' : `/organizations/${org}/settings/apps/new`;
  const manifest = buildManifest({ name, redirectUrl: `${url}created`, publicUrl });
  return `<h1>Connect Fettle to GitHub</h1>
<p>GitHub shows the permissions of the new App and asks you to confirm.</p>
<form method="post" action="${escapeHtml(`${githubUrl}${path}?state=${state}`)}">
<input type="hidden" name="manifest" value="${escapeHtml(JSON.stringify(manifest))}">
<button>Continue on ${escapeHtml(githubUrl)}</button></form>`;
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
