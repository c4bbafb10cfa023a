/** Receives webhooks: one insert, then an answer. Their effects follow from the queue. */
import { FettleError } from '@fettle/contract';
import { crashPoint } from '@fettle/crash-point';
import { verify } from '@octokit/webhooks-methods';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Dependencies } from '../../dependencies.ts';
import { knownEvents } from '../events/list-effects.ts';
import { type RejectionReason, type Rejections, rejectionReasons } from './rejections.ts';

/** GitHub sends no larger body. */
const bodyLimitBytes = 25 * 1024 * 1024;

const headersSchema = z.object({
  'x-github-event': z.string().regex(/^[a-z_]{1,100}$/),
  'x-github-delivery': z.string().regex(/^[\w-]{1,100}$/),
});
const signaturePattern = /^sha256=[0-9a-f]{64}$/;

export interface WebhookOptions {
  secret: string | undefined;
  /** Undefined if GitHub is not connected. */
  wake: ((deliveryId: string) => void) | undefined;
}

/** Outside of the hooks for bearer tokens and JSON: GitHub signs the bytes of the body. */
export function webhookRoute(
  { database, log }: Pick<Dependencies, 'database' | 'log'>,
  { secret, wake, rejections }: WebhookOptions & { rejections: Rejections },
): FastifyPluginAsyncZod {
  /** Logs the reason, never the body. */
  function reject(request: FastifyRequest, reason: RejectionReason): FettleError {
    rejections.count(reason);
    const { 'x-github-delivery': delivery, 'x-github-event': event } = request.headers;
    const bounded = (value: unknown) => (value === undefined ? undefined : String(value).slice(0, 100));
    log.warn({ reason, delivery: bounded(delivery), event: bounded(event) }, 'a webhook was rejected');
    return new FettleError(codes[reason], rejectionReasons[reason]);
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
      done(null, body),
    );
    // Before the body is read: what has no signature costs nothing.
    app.addHook('onRequest', async (request) => {
      if (secret === undefined || wake === undefined) throw reject(request, 'not_configured');
      if (!signaturePattern.test(String(request.headers['x-hub-signature-256'])))
        throw reject(request, 'no_signature');
    });
    app.addHook('onError', async (request, _reply, error) => {
      if ((error as { statusCode?: number }).statusCode === 413) reject(request, 'too_large');
    });

    app.post(
      '/v1/github/webhooks',
      { bodyLimit: bodyLimitBytes, schema: { summary: 'Receive a webhook of GitHub', security: [] } },
      async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const payload = body.toString('utf8');
        const signature = String(request.headers['x-hub-signature-256']);
        if (secret === undefined || !(await verify(secret, payload, signature)))
          throw reject(request, 'bad_signature');
        if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
          throw reject(request, 'wrong_type');
        const headers = headersSchema.safeParse(request.headers);
        if (!headers.success) throw reject(request, 'bad_headers');
        if (!isJsonObject(payload)) throw reject(request, 'bad_json');
        const { 'x-github-event': event, 'x-github-delivery': id } = headers.data;
        const isKnown = knownEvents.includes(event);
        const isNew = await database.forgeEvents.receive({
          ...{ id, event },
          ...(isKnown ? { payload } : { note: 'Fettle does nothing for this event.' }),
        });
        crashPoint('webhook-stored');
        if (isNew && isKnown) wake?.(id);
        return reply.code(202).send({ accepted: isNew });
      },
    );
  };
}

const codes = {
  not_configured: 'not_found',
  no_signature: 'unauthorized',
  bad_signature: 'unauthorized',
  wrong_type: 'unsupported',
  bad_headers: 'bad_request',
  bad_json: 'bad_request',
  too_large: 'too_large',
} as const satisfies Record<RejectionReason, string>;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
