/** Search without ripgrep. Runs in a thread that can be terminated, because a regular expression can take forever. */
import { Worker } from 'node:worker_threads';
import { SandboxError } from '../../protocol/sandbox-error.ts';
import type { TextMatch } from '../../protocol/schemas.ts';
import type { Toolbox } from '../toolbox.ts';
import { listFiles } from '../tree/list-files.ts';
import { compilePattern } from './pattern.ts';
import { type EngineResult, maxFileBytes, type Search } from './search.ts';

export interface SearchJob {
  workspace: string;
  files: string[];
  pattern: RegExp;
  maxResults: number;
  maxLineLength: number;
  maxFileBytes: number;
}

export async function searchWithNode(toolbox: Toolbox, search: Search): Promise<EngineResult> {
  const pattern = compilePattern(search);
  const files = search.topKind === 'file' ? [search.top] : await listFiles(toolbox, search.top);
  const job: SearchJob = {
    workspace: toolbox.workspace,
    files: files.filter(search.accepts),
    pattern,
    maxResults: search.maxResults,
    maxLineLength: search.maxLineLength,
    maxFileBytes: maxFileBytes,
  };
  const worker = new Worker(new URL('./search-thread.ts', import.meta.url), {
    workerData: job,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  try {
    return await new Promise((resolve, reject) => {
      search.signal.throwIfAborted();
      search.signal.addEventListener('abort', () => reject(search.signal.reason), { once: true });
      worker.on('message', (result: { matches: TextMatch[]; truncated: boolean }) =>
        resolve({ ...result, programMs: 0 }),
      );
      worker.on('error', reject);
      worker.on('exit', () => reject(new SandboxError('failed', 'the search ended without a result')));
    });
  } finally {
    await worker.terminate();
  }
}
