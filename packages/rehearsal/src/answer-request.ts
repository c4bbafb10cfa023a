// One HTTP request from its headers to the last byte of its answer.
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { apiError } from './api-error.ts';
import { promptSegments, segmentText } from './cache-marks.ts';
import { checkHeaders } from './check-headers.ts';
import { type Decision, decide, type Memory } from './decide.ts';
import { type Failure, type Journal, nowMs, type Outcome } from './journal.ts';
import { play } from './play.ts';
import { readBody } from './read-body.ts';
import { countSchema, parseRequest } from './request.ts';
import { type Exchange, sendError, sendHead } from './send.ts';
import { estimateTokens } from './tokens.ts';

export type Stage = {
  memory: Memory;
  journal: Journal;
  apiKey: string | undefined;
  latencyMs: number;
  onFailure: (failure: Failure) => void;
};

const OUTCOMES = { refuse: 'refused', fail: 'failed', reject: 'faulted' } as const;

export async function answerRequest(
  stage: Stage,
  request: IncomingMessage,
  exchange: Exchange,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://rehearsal').pathname;
  const known = path === '/v1/messages' || path === '/v1/messages/count_tokens';
  if (!known || request.method !== 'POST')
    return refuse(request, exchange, apiError(404, `${path}: Not found`));
  const badHeaders = checkHeaders(request.headers, stage.apiKey);
  if (badHeaders) return refuse(request, exchange, badHeaders);
  const body = await readBody(request);
  if (!body.ok) return refuse(request, exchange, apiError(body.status, body.reason));

  if (path === '/v1/messages/count_tokens') return sendTokenCount(exchange, body.json);
  const receivedAtMs = nowMs();
  if (stage.latencyMs > 0) await setTimeout(stage.latencyMs, undefined, { signal: exchange.gone });
  const decision = decide(stage.memory, body.json);
  const entry = { path, body: body.json, bytes: body.bytes, receivedAtMs, answeredAtMs: null };
  const record = { ...entry, ...summarize(decision) };
  stage.journal.add(record);
  await carryOut(stage, exchange, decision);
  Object.assign(record, { answeredAtMs: nowMs() });
}

async function carryOut(stage: Stage, exchange: Exchange, decision: Decision): Promise<void> {
  if (decision.kind === 'play') return play(exchange, decision);
  if (decision.kind === 'fail') {
    stage.journal.fail(decision.failure);
    stage.onFailure(decision.failure);
  }
  sendError(exchange, decision.error);
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
  const outcome = OUTCOMES[decision.kind];
  if (decision.kind === 'refuse') return { outcome, conversation: null, turn: null };
  const { conversation, turn } = decision.kind === 'fail' ? decision.failure : decision;
  return { outcome, conversation, turn };
}

async function sendTokenCount(exchange: Exchange, body: unknown): Promise<void> {
  const parsed = parseRequest(countSchema, body);
  if (!parsed.ok) return sendError(exchange, apiError(400, parsed.reason));
  const segments = promptSegments(parsed.request);
  const input_tokens = segments.reduce((sum, segment) => sum + estimateTokens(segmentText(segment)), 0);
  sendHead(exchange, 200, 'application/json');
  exchange.response.end(JSON.stringify({ input_tokens }));
}

// The body may be unread; taking it in lets the client see the answer instead of a reset.
function refuse(request: IncomingMessage, exchange: Exchange, error: ReturnType<typeof apiError>): void {
  request.resume();
  exchange.response.setHeader('connection', 'close');
  sendError(exchange, error);
}
