/** Sends signed webhooks and remembers every attempt, as GitHub does for an App. */
import { createHmac, randomUUID } from 'node:crypto';
import type { App, Installation, Repository } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { listReceivers } from './receivers.ts';

export interface Delivery {
  id: number;
  /** Shared by the redeliveries of an event. The header `X-GitHub-Delivery`. */
  guid: string;
  app: App;
  event: string;
  action: string | undefined;
  installationId: number | undefined;
  repositoryId: number | undefined;
  isRedelivery: boolean;
  deliveredAtMs: number;
  durationSeconds: number;
  status: string;
  statusCode: number;
  url: string;
  requestHeaders: Record<string, string>;
  /** The exact text that was signed. */
  payload: string;
  responseHeaders: Record<string, string>;
  responseBody: string;
}

export interface Deliveries {
  /** Newest first. */
  list(app: App): Delivery[];
  redeliver(delivery: Delivery): Promise<Delivery>;
  /** Events are kept back until `resume`. */
  pause(): void;
  resume(): void;
  /** Waits until nothing is on its way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const timeoutMs = 10_000;
const maxResponseLength = 10_000;

export interface WebhookMessage {
  guid: string;
  app: App;
  event: string;
  action: string | undefined;
  installation: Installation | undefined;
  repository: Repository | undefined;
  payload: string;
}

export function createDeliveries(
  world: World,
  onPayload: ((event: string, payload: unknown) => void) | undefined,
): Deliveries {
  const attempts: Delivery[] = [];
  const underway = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let waiting: WebhookMessage[] | undefined;

  const track = <T>(work: Promise<T>): Promise<T> => {
    underway.add(work);
    void work.finally(() => underway.delete(work));
    return work;
  };
  const send = (message: WebhookMessage, isRedelivery: boolean): Promise<Delivery> =>
    track(attempt(world, message, { isRedelivery, closing: closing.signal })).then((delivery) => {
      attempts.push(delivery);
      return delivery;
    });

  world.emit = (event) => {
    const guid = randomUUID();
    for (const { app, installation, payload } of listReceivers(world, event)) {
      onPayload?.(event.name, payload);
      const { name, action, repository } = event;
      const message: WebhookMessage = {
        guid,
        app,
        event: name,
        action,
        installation,
        repository,
        payload: JSON.stringify(payload),
      };
      if (waiting) waiting.push(message);
      else if (app.hook.url !== undefined) void send(message, false);
    }
  };

  return {
    list: (app) => attempts.filter((each) => each.app === app).sort((a, b) => b.id - a.id),
    redeliver(delivery) {
      const { guid, app, event, action, payload } = delivery;
      const installation = world.installations.find(({ id }) => id === delivery.installationId);
      const repository = world.repositories.find(({ id }) => id === delivery.repositoryId);
      return send({ guid, app, event, action, installation, repository, payload }, true);
    },
    pause() {
      waiting ??= [];
    },
    resume() {
      const messages = waiting ?? [];
      waiting = undefined;
      for (const message of messages) if (message.app.hook.url !== undefined) void send(message, false);
    },
    async settled() {
      while (underway.size > 0) await Promise.all(underway);
    },
    async close() {
      closing.abort();
      await Promise.all(underway);
    },
  };
}

/** Never rejects: a failed delivery is an answer too. */
async function attempt(
  world: World,
  { guid, app, event, action, installation, repository, payload }: WebhookMessage,
  { isRedelivery, closing }: { isRedelivery: boolean; closing: AbortSignal },
): Promise<Delivery> {
  const { url = '', secret } = app.hook;
  const headers = {
    accept: '*/*',
    'content-type':
      app.hook.contentType === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
    'user-agent': 'GitHub-Hookshot/fa4e00d',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': String(app.id),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
    ...(secret !== undefined && signatureHeaders(secret, payload)),
  };
  const started = performance.now();
  const result = await post(url, headers, payload, closing);
  return {
    id: world.nextId(),
    guid,
    app,
    event,
    action,
    installationId: installation?.id,
    repositoryId: repository?.id,
    isRedelivery,
    deliveredAtMs: world.nowMs(),
    durationSeconds: Math.round((performance.now() - started) / 10) / 100,
    url,
    requestHeaders: headers,
    payload,
    ...result,
  };
}

function signatureHeaders(secret: string, payload: string): Record<string, string> {
  const sign = (algorithm: string) => createHmac(algorithm, secret).update(payload).digest('hex');
  return { 'x-hub-signature': `sha1=${sign('sha1')}`, 'x-hub-signature-256': `sha256=${sign('sha256')}` };
}

async function post(url: string, headers: Record<string, string>, payload: string, closing: AbortSignal) {
  const body =
    headers['content-type'] === 'application/json' ? payload : `payload=${encodeURIComponent(payload)}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([closing, timeout]);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const responseBody = (await response.text()).slice(0, maxResponseLength);
    const status = response.ok ? 'OK' : `Invalid HTTP Response: ${response.status}`;
    return {
      status,
      statusCode: response.status,
      responseHeaders: Object.fromEntries(response.headers),
      responseBody,
    };
  } catch {
    const status = timeout.aborted ? 'timed out' : 'failed to connect to host';
    return { status, statusCode: timeout.aborted ? 504 : 502, responseHeaders: {}, responseBody: '' };
  }
}
