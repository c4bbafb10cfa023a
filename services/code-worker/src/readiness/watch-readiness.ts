/** What this worker needs for its work. While something is missing it takes no jobs; running operations wait and continue. */
import { setTimeout as delay } from 'node:timers/promises';
import type { consumeCodeQueue } from '@fettle/queue';
import type { Backend } from '@fettle/sandbox';
import type { Worker } from '../attempt/worker.ts';
import { writeLivenessFile } from './liveness-file.ts';
import { startReadiness } from './readiness.ts';

/** Locating gitleaks takes time that the first operation needs more. That operation reports the same problem. */
const firstScannerProbeMs = 1_000;

export function watchReadiness(
  { api, config, gitleaks, log, redis, running, sandboxes }: Worker,
  backend: Pick<Backend, 'findProblem'>,
  consumer: Pick<ReturnType<typeof consumeCodeQueue>, 'pause' | 'resume'>,
) {
  const startedAt = performance.now();
  const findBrokerProblem = async () => backend.findProblem?.();

  const readiness = startReadiness({
    probes: {
      Redis: async () => void (await redis.ping()),
      'the sandbox broker': findBrokerProblem,
      'the sandbox': async () => {
        // The broker's own answer says more.
        if ((await findBrokerProblem()) === undefined) return sandboxes.findProblem();
      },
      gitleaks: async () => {
        if (performance.now() - startedAt < firstScannerProbeMs) return undefined;
        const why = await gitleaks.problem();
        return why === undefined ? undefined : `without gitleaks nothing can be pushed: ${why}`;
      },
    },
    async report(problems) {
      const { workerName: name, concurrency } = config;
      try {
        await api.report({ name, problems, concurrency, running: running.size });
        return undefined;
      } catch {
        return 'the api does not answer';
      }
    },
    onChange(problems) {
      if (problems.length > 0) {
        consumer.pause();
        log.warn({ problems }, 'something that this worker needs is missing; it takes no more jobs');
      } else {
        consumer.resume();
        log.warn('nothing is missing any more; this worker takes jobs again');
      }
    },
    onChecked(problems) {
      if (config.livenessPath === undefined) return;
      writeLivenessFile(config.livenessPath, problems).catch((error) =>
        log.warn({ err: error }, 'the file for health checks cannot be written'),
      );
    },
  });
  void readiness.check();
  void delay(firstScannerProbeMs, undefined, { ref: false }).then(readiness.check);

  return {
    stop: readiness.stop,
    /** Whether a new operation can start. Asks the broker, because the last check may be seconds old. */
    async canStart(): Promise<boolean> {
      if (readiness.problems().length > 0) return false;
      if ((await findBrokerProblem()) === undefined) return true;
      void readiness.check();
      return false;
    },
  };
}
