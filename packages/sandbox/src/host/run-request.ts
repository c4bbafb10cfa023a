import { type CommandPlan, commandPlanSchema } from '@fettle/contract';
import { z } from 'zod';
import { createBoundedOutput } from '../protocol/bounded-output.ts';
import type { RunParams } from '../protocol/requests.ts';
import { SandboxError } from '../protocol/sandbox-error.ts';
import { runResultSchema } from '../protocol/schemas.ts';
import type { Connection } from './connection.ts';
import { defaultLimits } from './limits.ts';
import type { RunOptions, RunResult } from './sandbox.ts';

export async function run({ request, fail }: Connection, options: RunOptions): Promise<RunResult> {
  const { onOutput, signal, timeoutMs = defaultLimits.commandTimeoutMs } = options;
  const maxOutputBytes = options.maxOutputBytes ?? defaultLimits.outputBytes;
  const command = chooseCommand(options);
  const started = performance.now();
  // Without `onOutput` the toolbox sends only the head and the tail, which fit in here.
  const kept = createBoundedOutput(maxOutputBytes);
  const result = await request('run', {
    params: {
      command,
      cwd: options.cwd ?? '',
      env: options.env ?? {},
      timeoutMs,
      maxOutputBytes,
      memoryBytes: options.memoryBytes ?? 0,
      live: onOutput !== undefined,
    },
    result: runResultSchema,
    async onBytes(bytes) {
      kept.push(bytes);
      await onOutput?.(bytes);
    },
    timeoutMs: timeoutMs + (options.graceMs ?? defaultLimits.runGraceMs),
    signal,
  }).catch((error: SandboxError) => {
    if (error.code !== 'timeout') throw error;
    // The toolbox ends a command at its limit, so a toolbox that is still silent after that is lost.
    const lost = new SandboxError('ended', `the toolbox does not answer: ${error.message}`);
    fail(lost);
    throw lost;
  });
  const omittedBytes = result.omittedBytes + kept.omittedBytes();
  return {
    ...result,
    output: joinOutput(kept.head(), kept.tail(), omittedBytes),
    omittedBytes,
    durationMs: performance.now() - started,
  };
}

function chooseCommand({ command, argv, plan }: RunOptions): RunParams['command'] {
  const [chosen, ...others] = [command, argv, plan && { plan: parsePlan(plan) }].filter(
    (given) => given !== undefined,
  );
  if (chosen === undefined || others.length > 0) {
    throw new SandboxError('bad_request', 'a run needs exactly one of command, argv and plan');
  }
  return chosen;
}

function parsePlan(plan: unknown): CommandPlan {
  const parsed = commandPlanSchema.safeParse(plan);
  if (parsed.success) return parsed.data;
  throw new SandboxError(
    'bad_request',
    `the plan is invalid: ${z.prettifyError(parsed.error).slice(0, 500)}`,
  );
}

function joinOutput(head: Buffer, tail: Buffer, omittedBytes: number): string {
  // Join as bytes if nothing is missing, because a character may be split between the two.
  if (omittedBytes === 0) return Buffer.concat([head, tail]).toString('utf8');
  return `${head.toString('utf8')}\n[… ${omittedBytes} bytes omitted …]\n${tail.toString('utf8')}`;
}
