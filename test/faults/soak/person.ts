/** A simulated person who creates operations, and repeats requests without an answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '@fettle/contract';
import { isSettled } from '@fettle/contract';
import { describeErrand, errandNames, errands } from '../support/errands.ts';
import type { Random } from './random.ts';
import type { Stage } from './stage.ts';

export type Person = ReturnType<typeof createPerson>;

export interface Asked {
  key: string;
  tag: string;
  errand: string;
  id: string;
}

const patienceMs = 120_000;
const callLimitMs = 20_000;

export function createPerson({ url, token, repositories }: Stage, random: Random) {
  const asked: Asked[] = [];
  const open = new Set<string>();
  const faults: string[] = [];

  async function callOnce(method: string, path: string, call: { body?: unknown; key?: string | undefined }) {
    const { body, key } = call;
    return fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callLimitMs),
    });
  }

  /** Says the same until there is an answer that is one: an api that is away or broken says nothing. */
  async function call(method: string, path: string, what: { body?: unknown; key?: string | undefined } = {}) {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      try {
        const response = await callOnce(method, path, what);
        const text = await response.text();
        if (response.status < 500) return { status: response.status, answer: JSON.parse(text) as unknown };
        if (performance.now() > deadline) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      await sleep(250);
    }
  }

  async function submit(body: unknown, key: string): Promise<string> {
    const { status, answer } = await call('POST', '/v1/operations', { body, key });
    if (status !== 200 && status !== 201)
      throw new Error(`${key} was not taken: ${status} ${JSON.stringify(answer)}`);
    return (answer as Operation).id;
  }

  return {
    asked,
    open,
    faults,
    async ask(number: number): Promise<void> {
      const errand = random.pick(errandNames);
      const tag = `soak-${number}`;
      const key = `key-of-${tag}`;
      const body = {
        kind: errands[errand]?.kind,
        description: describeErrand(errand, tag),
        repository: random.pick(repositories).path,
        priority: random.pick(['low', 'medium', 'high']),
      };
      const again = random.chance(0.3) ? random.between(1, 3) : 0;
      const ids = await Promise.all(Array.from({ length: again + 1 }, () => submit(body, key)));
      const [id = ''] = ids;
      if (new Set(ids).size > 1) faults.push(`${key} became ${[...new Set(ids)].join(', ')}`);
      asked.push({ key, tag, errand, id });
      open.add(id);
    },
    /** Forgets what is settled; gives what is not, by state. */
    async look(): Promise<Map<string, string>> {
      const states = new Map<string, string>();
      for (const id of [...open]) {
        const { answer } = await call('GET', `/v1/operations/${id}`);
        const { state } = answer as Operation;
        if (isSettled(state)) open.delete(id);
        else states.set(id, state);
      }
      return states;
    },
    act: async (id: string, wish: 'cancel' | 'pause' | 'resume') =>
      (await call('POST', `/v1/operations/${id}/${wish}`)).status,
  };
}
