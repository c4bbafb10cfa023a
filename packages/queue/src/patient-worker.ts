import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Worker } from 'bullmq';

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/**
 * A worker of BullMQ that asks a Redis which answers with errors (its disk is full, it loads) with growing pauses.
 * Without it asks ten times a second, or as fast as it can.
 */
export class PatientWorker<Data> extends Worker<Data> {
  readonly #closing = new AbortController();
  #failures = 0;

  /** Without a time, it is the pause after an answer that was an error. */
  override async delay(ms?: number, controller?: Parameters<Worker['delay']>[1]): Promise<void> {
    await (ms === undefined ? this.#rest() : super.delay(ms, controller));
  }

  override async close(force?: boolean): Promise<void> {
    this.#closing.abort();
    await super.close(force);
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Data>> {
    try {
      const job = await super.moveToActive(token, name);
      this.#failures = 0;
      return job;
    } catch (error) {
      await this.#rest();
      throw error;
    }
  }

  async #rest(): Promise<void> {
    const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    this.#failures += 1;
    const { signal } = this.#closing;
    await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
  }
}
