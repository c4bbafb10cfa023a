import { type Attempt, judgeLines, runProgram } from '../support/attempt.ts';
import type { Inside } from '../support/program.ts';

export const registryPath: Attempt = {
  name: 'publishing and posting through the registry path, while it is open',
  // The same toolbox carries it everywhere: what is not carried is refused by it, and again by the worker.
  onProcess: 'held',
  scenario: async ({ start, world }) => {
    const sandbox = await start();
    await sandbox.offerRegistries({
      registries: ['npm'],
      environment: (origins) => ({ ISO_registry: origins.npm ?? '' }),
    });
    const asked: string[] = [];
    const window = await sandbox.openFetchWindow({
      answer: async ({ method, path }) => {
        asked.push(`${method} ${path}`);
        return { status: 200, headers: {}, body: [] };
      },
    });
    const output = await runProgram(sandbox, { node: publish }, world);
    await window.close();
    if (!asked.includes('GET /a-package')) throw new Error(`nothing came at all: ${output}`);
    const verdict = judgeLines(output);
    const carried = asked.filter((line) => !/^(GET|HEAD) /.test(line));
    return carried.length > 0 ? `carried: ${carried.join(', ')}` : verdict;
  },
};

async function publish({ facts, out, held }: Inside): Promise<void> {
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'GET']) {
    const body = /GET|OPTIONS/.test(method) ? {} : { body: '{"stolen":true}' };
    const { status } = await fetch(`${facts.registry}/a-package`, { method, ...body });
    if (method !== 'GET' && status !== 405) out(`${method}: ${status}`);
    else held(`${method}: ${status}`);
  }
}
