/** Whether this worker can do its work: checked every few seconds, and reported when that changes. */
import { setTimeout as delay } from 'node:timers/promises';

/** Returns a problem as a sentence without its full stop, or undefined. */
export type Probe = () => Promise<string | undefined>;

export interface ReadinessOptions {
  /** By the name of what is probed. */
  probes: Record<string, Probe>;
  /** Called after each check, with all problems. Returns why the api cannot be told, if so. */
  report(problems: string[]): Promise<string | undefined>;
  /** Called after each check. */
  onChecked(problems: string[]): void;
  /** Called when the worker becomes unable or able to work. */
  onChange(problems: string[]): void;
  intervalMs?: number;
  /** While something is missing. */
  shortIntervalMs?: number;
  probeTimeoutMs?: number;
}

const maxLength = 400;

export function startReadiness(options: ReadinessOptions) {
  const { probes, intervalMs = 5_000, shortIntervalMs = 1_000, probeTimeoutMs = 3_000 } = options;
  let problems: string[] = [];
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const pending = new Map<string, Promise<string | undefined>>();

  async function probe([name, find]: [string, Probe]): Promise<string | undefined> {
    const late = delay(probeTimeoutMs, `${name} does not answer`, { ref: false });
    // Without an answer to the last question, another one would only wait beside it.
    const asked = pending.get(name) ?? find().finally(() => pending.delete(name));
    pending.set(name, asked);
    const problem = await Promise.race([asked, late]).catch((error: Error) => `${name}: ${error.message}`);
    return problem?.slice(0, maxLength);
  }

  async function checkOnce(): Promise<void> {
    const answers = await Promise.all(Object.entries(probes).map(probe));
    const found = answers.filter((answer) => answer !== undefined);
    const unreported = await options.report(found);
    if (isStopped) return;
    const wasReady = problems.length === 0;
    problems = unreported === undefined ? found : [...found, unreported];
    if (wasReady !== (problems.length === 0)) options.onChange(problems);
    options.onChecked(problems);
  }

  function check(): Promise<void> {
    clearTimeout(timer);
    checking ??= checkOnce().finally(() => {
      checking = undefined;
      if (isStopped) return;
      timer = setTimeout(check, problems.length > 0 ? shortIntervalMs : intervalMs).unref();
    });
    return checking;
  }

  return {
    problems: () => problems,
    /** Checks now, instead of after the interval. */
    check,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
