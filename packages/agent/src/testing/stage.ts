/** The loop over a real toolbox, with a scripted model and a record in memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, EventBody } from '@fettle/contract';
import { createPathJudge, judgeCommand } from '@fettle/policy';
import { type Sandbox, startSandbox } from '@fettle/sandbox';
import { afterAll } from 'vitest';
import { noHooks } from '../calls/hooks.ts';
import { createKeptOutputs } from '../calls/kept-outputs.ts';
import { noSecretTokens } from '../calls/place-secrets.ts';
import { startConversation } from '../loop/conversation.ts';
import type { TurnOptions } from '../loop/turn-options.ts';
import type { Block, Message, Model, ModelAnswer, ModelRequest } from '../model/model.ts';
import { defaultToolLimits } from '../tools/tool.ts';
import { toolsFor } from '../tools/tool-set.ts';

export type Line = Block[] | Error | ((request: ModelRequest) => Block[] | Error);

export const say = (text: string): Block => ({ kind: 'text', text });
export const callOf = (callId: string, tool: string, input: unknown): Block => ({
  kind: 'tool',
  callId,
  tool,
  input,
});

/** Answers with its lines in order. It counts four characters as one token. */
export function scriptedModel(lines: Line[]) {
  const requests: Message[][] = [];
  const left = [...lines];
  const model: Model = {
    name: 'scripted',
    contextTokens: 1_000_000,
    async answer(request): Promise<ModelAnswer> {
      requests.push(structuredClone(request.messages));
      const line = left.shift() ?? [say('done')];
      const blocks = typeof line === 'function' ? line(request) : line;
      if (blocks instanceof Error) throw blocks;
      const inputTokens = Math.ceil(JSON.stringify(request.messages).length / 4);
      const usage = { inputTokens, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const stopReason = blocks.some(({ kind }) => kind === 'tool') ? 'tool' : 'end';
      return { model: 'scripted', blocks, stopReason, usage };
    },
  };
  return { model, requests };
}

/** A tool context with empty defaults for everything but the sandbox. */
export function contextOf(sandbox: Sandbox): TurnOptions['context'] {
  return {
    sandbox,
    history: {
      baseFile: async () => undefined,
      changedFiles: async () => [],
      diff: async () => '',
      log: async () => [],
    },
    commands: {},
    install: async () => ({ ok: false, reason: 'there are no registries' }),
    limits: defaultToolLimits,
    outputs: createKeptOutputs(),
    signal: new AbortController().signal,
    rateLimit: async () => {},
  };
}

/** Options that limit nothing, without a sandbox, and the events that the loop records. */
export function prepareTurns(model: Model, more: Partial<TurnOptions> = {}) {
  const events: Event[] = [];
  const { signal } = new AbortController();
  const options: TurnOptions = {
    model,
    system: 's',
    tools: [],
    context: { limits: defaultToolLimits, outputs: createKeptOutputs(), signal } as TurnOptions['context'],
    judgePath: createPathJudge(),
    commandPolicy: { mode: 'strict', judge: judgeCommand },
    saveChanges: async (paths = []) => ({
      changed: paths.map((path) => ({ path, change: 'written' as const })),
      refused: [],
    }),
    mask: (text) => text,
    secrets: noSecretTokens,
    hooks: noHooks,
    conversation: startConversation(),
    budgets: { parts: 1_000, turns: 1_000, tokens: 100_000_000, usd: 1_000, seconds: 1_000 },
    costOf: () => undefined,
    window: { tokens: 1_000_000, compactAt: 0.85, keepTokens: 40_000 },
    maxOutputTokens: 16_000,
    round: 1,
    secondsSpent: () => 0,
    async record(...bodies: EventBody[]) {
      for (const body of bodies)
        events.push({ ...structuredClone(body), operationId: 'op', position: events.length + 1, at: '' });
    },
    shouldYield: () => false,
    takeMessages: async () => [],
    signal,
    ...more,
  };
  return { options, events };
}

/** A sandbox for all tests of the file that calls this at its top level. */
export async function openStage({ searchPath }: { searchPath?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'loop-'));
  const sandbox = await startSandbox({
    ...{ backend: 'process', folder },
    ...(searchPath !== undefined && { searchPath }),
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const prepare = (model: Model, more: Partial<TurnOptions> = {}) =>
    prepareTurns(model, { tools: toolsFor('fix'), context: contextOf(sandbox), ...more });
  return { sandbox, folder, prepare };
}
