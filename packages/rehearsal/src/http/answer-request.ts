/** Handles one HTTP request, from its headers to the last byte of the response. */
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Decision, decide, type Memory } from '../answer/decide.ts';
import { estimateTokens } from '../answer/prompt-cache.ts';
import { type Failure, type Journal, nowMs, type Outcome } from '../journal.ts';
import { promptSegments, segmentText } from '../request/cache-marks.ts';
import { countSchema, parseRequest } from '../request/request.ts';
import { type ApiError, apiError } from '../wires/api-error.ts';
import { chatWire } from '../wires/chat-wire.ts';
import { messagesWire } from '../wires/messages-wire.ts';
import type { Wire } from '../wires/wire.ts';
import { play } from './play.ts';
import { readBody } from './read-body.ts';
import { type Exchange, sendError, sendHead } from './send.ts';

const countPath = '/v1/messages/count_tokens';

const wires: Record<string, Wire> = {
  '/v1/messages': messagesWire,
  [countPath]: messagesWire,
  '/v1/chat/completions': chatWire,
};

export type Stage = {
  memory: Memory;
  journal: Journal;
  apiKey: string | undefined;
  latencyMs: number;
  beforeAnswer: ((body: unknown) => Promise<void>) | undefined;
  onFailure: (failure: Failure) => void;
};

const outcomes = { refuse: 'refused', fail: 'failed', reject: 'faulted' } as const;

export async function answerRequest(
  stage: Stage,
  request: IncomingMessage,
  exchange: Exchange,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://rehearsal').pathname;
  const wire = Object.hasOwn(wires, path) ? wires[path] : undefined;
  const refuse = (error: ApiError) => refuseUnread(request, exchange, wire ?? messagesWire, error);
  if (!wire || request.method !== 'POST') return refuse(apiError(404, `${path}: Not found`));
  const badHeaders = wire.checkHeaders(request.headers, stage.apiKey);
  if (badHeaders) return refuse(badHeaders);
  const body = await readBody(request);
  if (!body.ok) return refuse(apiError(body.status, body.reason));

  if (path === countPath) return sendTokenCount(exchange, body.json);
  if (stage.latencyMs > 0) await setTimeout(stage.latencyMs, undefined, { signal: exchange.gone });
  await stage.beforeAnswer?.(body.json);
  const decision = decide(stage.memory, wire, body.json);
  const entry = {
    path,
    body: body.json,
    bytes: body.bytes,
    receivedAtMs: body.receivedAtMs,
    answeredAtMs: null,
  };
  const record = { ...entry, ...summarize(decision) };
  stage.journal.add(record);
  await carryOut(stage, { exchange, wire }, decision);
  Object.assign(record, { answeredAtMs: nowMs() });
}

async function carryOut(
  stage: Stage,
  { exchange, wire }: { exchange: Exchange; wire: Wire },
  decision: Decision,
): Promise<void> {
  if (decision.kind === 'play') return play(exchange, wire, decision);
  if (decision.kind === 'fail') {
    stage.journal.fail(decision.failure);
    stage.onFailure(decision.failure);
  }
  sendError(exchange, wire, decision.error);
}

function summarize(decision: Decision): {
  outcome: Outcome;
  conversation: string | null;
  turn: number | null;
} {
  if (decision.kind === 'play') {
    const { conversation, turn, fault } = decision;
    return { outcome: fault ? 'faulted' : 'answered', conversation, turn };
  }
  const outcome = outcomes[decision.kind];
  if (decision.kind === 'refuse') return { outcome, conversation: null, turn: null };
  const { conversation, turn } = decision.kind === 'fail' ? decision.failure : decision;
  return { outcome, conversation, turn };
}

async function sendTokenCount(exchange: Exchange, body: unknown): Promise<void> {
  const parsed = parseRequest(countSchema, body);
  if (!parsed.ok) return sendError(exchange, messagesWire, apiError(400, parsed.reason));
  const segments = promptSegments(parsed.request);
  const input_tokens = segments.reduce((sum, segment) => sum + estimateTokens(segmentText(segment)), 0);
  sendHead(exchange, 200, 'application/json');
  exchange.response.end(JSON.stringify({ input_tokens }));
}

/** Reads the rest of the body, so that the client gets the response and not a reset. */
function refuseUnread(request: IncomingMessage, exchange: Exchange, wire: Wire, error: ApiError): void {
  request.resume();
  exchange.response.setHeader('connection', 'close');
  sendError(exchange, wire, error);
}
