// Goes through the usual requests once, in a folder of its own: code that has run before answers a first request
// in a third of the time. Ends as soon as the host asks for something.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Method, Requests } from '../protocol/requests.ts';
import { findMethod } from './methods.ts';
import type { Call } from './serve.ts';
import { createToolbox, type Toolbox } from './toolbox.ts';

const limits = { maxFiles: 10, maxBytes: 10_000 };
const content = Buffer.from('export const warm = true;\n');

const rehearsed: { [M in Method]?: Requests[M]['params'] } = {
  writeFile: { path: 'src/warm.ts' },
  readFile: { path: 'src/warm.ts', maxBytes: 1_000 },
  searchText: { pattern: 'warm', maxResults: 10, maxLineLength: 100, timeoutMs: 5_000 },
  changes: { ...limits, received: 0 },
  run: { command: 'true', cwd: '', env: {}, timeoutMs: 5_000, maxOutputBytes: 1_000, live: false },
};

export async function warmUp(toolbox: Toolbox, isAsked: () => boolean): Promise<void> {
  const folder = join(toolbox.root, 'warm-up');
  mkdirSync(folder);
  try {
    const { pipes, listNewcomers } = toolbox;
    const scratch: Toolbox = { ...createToolbox({ ...toolbox, folder }), pipes, listNewcomers };
    for (let round = 0; round < 2; round++) {
      for (const [method, params] of Object.entries(rehearsed)) {
        const handler = await findMethod(method);
        await new Promise(setImmediate);
        if (isAsked()) return;
        await handler?.(scratch, params as never, quietCall());
      }
    }
  } catch {
    // It is only for speed: what does not work here says so when it is asked for.
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
