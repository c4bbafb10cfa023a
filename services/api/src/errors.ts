import type { Socket } from 'node:net';
import { FettleError } from '@fettle/contract';
import { explainAbsence } from '@fettle/database';
import type { Redaction } from '@fettle/secrets';
import type { FastifyError, FastifyInstance } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';

interface ValidationIssue {
  instancePath?: string;
  message?: string | undefined;
  params?: { keys?: string[] };
}

/** Answers every error in the one shape; what is not a caller's mistake is logged as our bug. */
export function handleErrors(app: FastifyInstance, redaction: Redaction): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = asFettleError(error);
    // A part that is away is no bug: whoever needs it in the background says so, and every answer does.
    if (known.status >= 500 && known.code !== 'unavailable')
      request.log.error({ err: error }, 'request failed');
    return reply.status(known.status).send(redaction.value(known.toBody()));
  });
  app.setNotFoundHandler((request, reply) => {
    const error = new FettleError(
      'not_found',
      `there is nothing at ${request.method} ${request.url.slice(0, 200)}`,
    );
    return reply.status(error.status).send(redaction.value(error.toBody()));
  });
}

/** What is no HTTP at all, or has headers without end, never becomes a request; it gets the one shape all the same. */
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
  if (error.statusCode === 415) return new FettleError('unsupported', 'this media type is not supported');
  if (error.statusCode === 429) return new FettleError('too_many_requests', error.message);
  if (error.statusCode && error.statusCode < 500) return new FettleError('bad_request', error.message);
  const absence = explainAbsence(error);
  if (absence) return new FettleError('unavailable', `the database ${absence}`);
  return new FettleError('internal', 'something went wrong inside Fettle');
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
