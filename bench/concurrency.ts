/** The worker's memory per operation: with one operation that waits for the model, and with sixteen. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { type Platform, startPlatform } from '../test/support/platform.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { episode } from './episode.ts';
import { readMemory } from './throughput.ts';

const waiting: Conversation = conversationFor('waiting', ...episode.turns.slice(0, -1), {
  ...turn(say('…')),
  faults: Array.from({ length: 20 }, () => ({ stall: 'mid-stream' as const })),
});

const atOnce = 16;

export async function measureMemoryEach(repository: TestRepository): Promise<number> {
  const settings = {
    FETTLE_CONCURRENCY: String(atOnce),
    FETTLE_MODEL_IDLE_SECONDS: '600',
    FETTLE_RATE_LIMIT: '1000000',
  };
  const platform = await startPlatform({ conversations: [waiting], settings });
  try {
    return await measureOn(platform, repository);
  } finally {
    await platform.close();
  }
}

async function measureOn(platform: Platform, repository: TestRepository): Promise<number> {
  const begun: string[] = [];
  async function begin(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const { id } = await platform.create(repository.request('fix', 'waiting'));
      begun.push(id);
    }
    const isWaiting = async (id: string) => (await platform.get(id)).totals.turns >= episode.turns.length - 1;
    for (const id of begun) while (!(await isWaiting(id))) await sleep(200);
    await sleep(1_000);
  }
  await begin(1);
  const one = readMemory(platform.worker.pid).now;
  await begin(atOnce - 1);
  const all = readMemory(platform.worker.pid).now;
  return (all - one) / (atOnce - 1);
}
