/** The baseline: the same episode with a minimal loop of the model's client, files and processes, without a record. */
import { exec } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createModel, type Message } from '@fettle/agent';

const run = promisify(exec);

type Input = { path?: string; pattern?: string; command?: string; edits?: { old: string; new: string }[] };

/** Returns how long programs ran in each turn. */
export async function runPlainLoop(folder: string, modelUrl: string): Promise<number[]> {
  const model = createModel({
    service: 'anthropic',
    model: 'bench',
    apiKey: 'bench',
    baseUrl: modelUrl,
    maxOutputTokens: 1_000,
    maxRetries: 0,
    idleMs: 60_000,
  });
  const messages: Message[] = [{ role: 'user', items: [{ kind: 'text', text: 'episode' }] }];
  const programMs: number[] = [];
  for (;;) {
    const { blocks } = await model.answer(
      { system: 's', tools: [], messages },
      { signal: AbortSignal.timeout(60_000), async onRetry() {} },
    );
    messages.push({ role: 'assistant', turn: 0, blocks });
    const [block] = blocks;
    if (block?.kind !== 'tool') return programMs;
    const startedAt = performance.now();
    const output = await callPlainly(folder, block.tool, block.input as Input);
    programMs.push(
      block.tool === 'run_command' || block.tool === 'search_text' ? performance.now() - startedAt : 0,
    );
    messages.push({
      role: 'user',
      items: [{ kind: 'result', callId: block.callId, output: output || '-', isError: false }],
    });
  }
}

async function callPlainly(
  folder: string,
  tool: string,
  { path = '', pattern = '', command = '', edits = [] }: Input,
): Promise<string> {
  const inFolder = { cwd: folder };
  switch (tool) {
    case 'read_file':
      return readFile(join(folder, path), 'utf8');
    case 'edit_file': {
      const [edit] = edits;
      const text = await readFile(join(folder, path), 'utf8');
      await writeFile(join(folder, path), text.replace(edit?.old ?? '', edit?.new ?? ''));
      return 'ok';
    }
    case 'search_text':
      return (await run(`grep -rnE -- '${pattern}' src || true`, inFolder)).stdout;
    default:
      return (await run(command, inFolder)).stdout;
  }
}
