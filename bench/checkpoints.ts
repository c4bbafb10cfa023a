/** What it costs that checkpoints outlive the machine: encoding one, and the api's answer, beside a plain local file. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeCheckpoint } from '@fettle/git';
import { startPlatform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { claim, workerHeaders } from './claim.ts';

export async function measureStoring(
  repository: TestRepository,
  count: number,
): Promise<{ stored: number[]; plain: number[] }> {
  const platform = await startPlatform({ conversations: [], workers: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'bench-plain-'));
  const times = { stored: [] as number[], plain: [] as number[] };
  try {
    const { id } = await platform.create({ kind: 'fix', description: 'none', repository: repository.path });
    const fence = await claim(platform, id);
    for (let n = 0; n < count; n += 1) {
      const text = Buffer.from(randomBytes(3_000).toString('hex').repeat(2));
      const commit = randomBytes(20).toString('hex');
      const startedAt = performance.now();
      const bytes = await encodeCheckpoint({
        parent: 'a'.repeat(40),
        message: `checkpoint ${n}`,
        dateSeconds: 1,
        changes: [{ kind: 'file', path: 'src/a.ts', executable: false, bytes: text }],
      });
      const url = `${platform.url}/internal/v1/operations/${id}/checkpoints/${commit}?fence=${fence}`;
      const headers = { ...workerHeaders, 'content-type': 'application/octet-stream' };
      const { status } = await fetch(url, { method: 'PUT', headers, body: bytes });
      if (status !== 204) throw new Error(`a checkpoint was not stored: ${status}`);
      times.stored.push(performance.now() - startedAt);
      const plainAt = performance.now();
      await writeFile(join(folder, commit), text);
      times.plain.push(performance.now() - plainAt);
    }
    return times;
  } finally {
    await platform.close();
    await rm(folder, { recursive: true });
  }
}
