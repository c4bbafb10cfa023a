// An answer goes out as recorded, or in one of the ways in which answers go wrong.
import { errorBody, streamError } from './api-error.ts';
import type { ComposedMessage } from './compose-message.ts';
import type { Decision } from './decide.ts';
import { messageEvents, messageJson, openTextEvents, textDelta } from './message-body.ts';
import { breakOff, type Exchange, holdUntilGone, sendChunks, sendForEver, sendHead } from './send.ts';

type Play = Extract<Decision, { kind: 'play' }>;

const ENDLESS_DELTA = textDelta('and so on, '.repeat(100));

export async function play(exchange: Exchange, { message, fault, stream }: Play): Promise<void> {
  if (!fault) return sendWhole(exchange, message, stream);
  if ('break' in fault) {
    if (fault.break === 'mid-stream') await sendHalf(exchange, message, stream);
    return breakOff(exchange);
  }
  if ('stall' in fault) {
    if (fault.stall === 'mid-stream') await sendHalf(exchange, message, stream);
    return holdUntilGone(exchange);
  }
  if ('errorEvent' in fault) return sendErrorEvent(exchange, message, fault.errorEvent);
  return sendEndless(exchange, message, stream);
}

async function sendWhole(exchange: Exchange, message: ComposedMessage, stream: boolean): Promise<void> {
  sendHead(exchange, 200, contentType(stream));
  await sendChunks(exchange, stream ? messageEvents(message) : [messageJson(message)]);
  exchange.response.end();
}

async function sendHalf(exchange: Exchange, message: ComposedMessage, stream: boolean): Promise<void> {
  sendHead(exchange, 200, contentType(stream));
  await sendChunks(
    exchange,
    stream ? firstHalf([...messageEvents(message)]) : [firstHalf(messageJson(message))],
  );
}

async function sendErrorEvent(exchange: Exchange, message: ComposedMessage, type: string): Promise<void> {
  await sendHalf(exchange, message, true);
  exchange.response.end(`event: error\ndata: ${errorBody(streamError(type), exchange.requestId)}\n\n`);
}

async function sendEndless(exchange: Exchange, message: ComposedMessage, stream: boolean): Promise<void> {
  sendHead(exchange, 200, contentType(stream));
  if (stream) await sendChunks(exchange, openTextEvents(message));
  await sendForEver(exchange, stream ? ENDLESS_DELTA : ' '.repeat(1000));
}

function contentType(stream: boolean): string {
  return stream ? 'text/event-stream; charset=utf-8' : 'application/json';
}

function firstHalf<T extends { length: number; slice(start: number, end: number): T }>(whole: T): T {
  return whole.slice(0, Math.ceil(whole.length / 2));
}
