/**
 * Runs typical requests in a scratch folder until V8 has optimized them: warm code responds in a third of the time. Stops as
 * soon as the host sends a request.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Method, Requests } from '../protocol/requests.ts';
import { findMethod } from './methods.ts';
import type { Call } from './serve.ts';
import { createToolbox, type Toolbox } from './toolbox.ts';

const files = 50;
const limits = { maxFiles: 2 * files, maxBytes: 1_000_000 };
const content = Buffer.from('export const warm = true;\n');

/** Requests that walk files are repeated often, those that start a program rarely. */
const exercises: { [M in Method]?: { times: number; params: Requests[M]['params'] } } = {
  readFile: { times: 20, params: { path: 'src/0.ts', maxBytes: 1_000 } },
  writeFile: { times: 20, params: { path: 'src/0.ts' } },
  adoptChanges: { times: 1, params: { received: 0 } },
  changes: { times: 30, params: { ...limits, received: 0 } },
  searchText: {
    times: 3,
    params: { pattern: 'warm', maxResults: 10, maxLineLength: 100, timeoutMs: 5_000 },
  },
  run: {
    times: 3,
    params: {
      command: {
        plan: [{ when: 'always', commands: [{ argv: [{ text: 'true' }], env: {}, redirects: [] }] }],
      },
      cwd: '',
      env: {},
      timeoutMs: 5_000,
      maxOutputBytes: 1_000,
      memoryBytes: 0,
      live: false,
    },
  },
};

export async function warmUp(toolbox: Toolbox, hasRequests: () => boolean): Promise<void> {
  const folder = join(toolbox.root, 'warm-up');
  mkdirSync(folder);
  try {
    const { pipes, listNewcomers, families } = toolbox;
    const scratch: Toolbox = { ...createToolbox({ ...toolbox, folder }), pipes, listNewcomers, families };
    mkdirSync(join(scratch.workspace, 'src'));
    for (let n = 0; n < files; n++) writeFileSync(join(scratch.workspace, 'src', `${n}.ts`), content);
    for (const [method, { times, params }] of Object.entries(exercises)) {
      const handler = await findMethod(method);
      for (let time = 0; time < times; time++) {
        await new Promise(setImmediate);
        if (hasRequests()) return;
        await handler?.(scratch, params as never, quietCall());
      }
    }
  } catch {
    // Only an optimization: a real request will report the same problem.
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function quietCall(): Call {
  async function* input() {
    yield content;
  }
  return { signal: new AbortController().signal, input: input(), async send() {} };
}
