import type { Socket } from 'node:net';
import { FettleError } from '@fettle/contract';
import { describeOutage } from '@fettle/database';
import type { Redaction } from '@fettle/secrets';
import type { FastifyError, FastifyInstance } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';

interface ValidationIssue {
  instancePath?: string;
  message?: string | undefined;
  params?: { keys?: string[] };
}

/** Answers every error in the same format. Errors that are not the caller's fault are logged as bugs. */
export function handleErrors(app: FastifyInstance, redaction: Redaction): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asFettleError(error);
    // An unreachable database or Redis is not a bug, and the background loops log it already.
    if (known.status >= 500 && known.code !== 'unavailable')
      request.log.error({ err: error }, 'request failed');
    return reply.status(known.status).send(redaction.value(known.toBody()));
  });
  app.setNotFoundHandler((request, reply) => {
    const error = new FettleError(
      'not_found',
      `there is no route ${request.method} ${request.url.slice(0, 200)}`,
    );
    return reply.status(error.status).send(redaction.value(error.toBody()));
  });
}

/** Invalid HTTP and oversized headers never become a request. They are answered in the same format. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const known = isTooLarge
    ? new FettleError('too_large', 'the headers are too large')
    : new FettleError('bad_request', 'this is not an HTTP request');
  const body = JSON.stringify(known.toBody());
  const head = [
    isTooLarge ? 'HTTP/1.1 431 Request Header Fields Too Large' : 'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  if (socket.writable && error.code !== 'ECONNRESET') socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function asFettleError(error: FastifyError): FettleError {
  if (error instanceof FettleError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return fromValidation(error.validation[0]);
  if (error.statusCode === 413) return new FettleError('too_large', 'the request body is too large');
  if (error.statusCode === 415) return new FettleError('unsupported', 'the media type is not supported');
  if (error.statusCode === 429) return new FettleError('too_many_requests', error.message);
  if (error.statusCode && error.statusCode < 500) return new FettleError('bad_request', error.message);
  const outage = describeOutage(error);
  if (outage) return new FettleError('unavailable', `the database ${outage}`);
  return new FettleError('internal', 'an unexpected error occurred in Fettle');
}

function fromValidation(issue: ValidationIssue | undefined): FettleError {
  const unknownKey = issue?.params?.keys?.[0];
  const path = [
    ...(issue?.instancePath ?? '').split('/').filter(Boolean),
    ...(unknownKey ? [unknownKey] : []),
  ];
  const field = path.join('.');
  const message = issue?.message ?? 'is not valid';
  return new FettleError('bad_request', field ? `${field}: ${message}` : message, field || undefined);
}
