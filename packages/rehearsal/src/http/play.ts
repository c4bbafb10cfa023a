/** Sends an answer as recorded, or with a fault. */
import type { Decision } from '../answer/decide.ts';
import type { Wire } from '../wires/wire.ts';
import { breakOff, type Exchange, holdUntilGone, sendChunks, sendForEver, sendHead } from './send.ts';

type Play = Extract<Decision, { kind: 'play' }>;

export async function play(exchange: Exchange, wire: Wire, played: Play): Promise<void> {
  const { fault } = played;
  if (!fault) return sendWhole(exchange, wire, played);
  if ('break' in fault) {
    if (fault.break === 'mid-stream') await sendHalf(exchange, wire, played);
    return breakOff(exchange);
  }
  if ('stall' in fault) {
    if (fault.stall === 'mid-stream') await sendHalf(exchange, wire, played);
    return holdUntilGone(exchange);
  }
  if ('endless' in fault) return sendEndless(exchange, wire, played);
  await sendHalf(exchange, wire, { ...played, request: { ...played.request, stream: true } });
  exchange.response.end(wire.errorEvent(fault.errorEvent, exchange.requestId));
}

async function sendWhole(exchange: Exchange, wire: Wire, { message, request }: Play): Promise<void> {
  sendHead(exchange, 200, contentType(request));
  await sendChunks(
    exchange,
    request.stream ? wire.answerEvents(message, request) : [wire.answerJson(message)],
  );
  exchange.response.end();
}

async function sendHalf(exchange: Exchange, wire: Wire, { message, request }: Play): Promise<void> {
  sendHead(exchange, 200, contentType(request));
  await sendChunks(
    exchange,
    request.stream
      ? firstHalf([...wire.answerEvents(message, request)])
      : [firstHalf(wire.answerJson(message))],
  );
}

async function sendEndless(exchange: Exchange, wire: Wire, { message, request }: Play): Promise<void> {
  sendHead(exchange, 200, contentType(request));
  if (request.stream) await sendChunks(exchange, wire.openEvents(message));
  await sendForEver(exchange, request.stream ? wire.endlessEvent : ' '.repeat(1000));
}

function contentType({ stream }: Play['request']): string {
  return stream ? 'text/event-stream; charset=utf-8' : 'application/json';
}

function firstHalf<T extends { length: number; slice(start: number, end: number): T }>(whole: T): T {
  return whole.slice(0, Math.ceil(whole.length / 2));
}
