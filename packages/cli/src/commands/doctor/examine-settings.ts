import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config.ts';
import { serviceMain } from '../../process/workspace.ts';
import { type ChildName, childEnvironment } from '../../stack/child-environment.ts';
import type { Finding } from './diagnosis.ts';

/** Stands for what the stack gives to its services by itself. */
const key = 'for-the-doctor-only';
const given = {
  api: { FETTLE_WORKER_KEY: key, REDIS_URL: 'unix:///redis.sock' },
  worker: {
    FETTLE_WORKER_KEY: key,
    REDIS_URL: 'unix:///redis.sock',
    ANTHROPIC_API_KEY: 'unset',
    OPENAI_API_KEY: 'unset',
  },
  broker: { FETTLE_BROKER_KEY: key },
};

/** A service judges its settings itself: it is started with those that it would get, and stops right behind that. */
export async function examineSettings(config: Config, service: ChildName): Promise<Finding> {
  const name = `${service} settings`;
  const environment = childEnvironment(service, config, {});
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', serviceMain[service], '--check-settings'],
    {
      env: { ...given[service], ...environment, FETTLE_HOME: config.home },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 30_000,
    },
  );
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code === 0) return { name, state: 'ok', message: 'are understood' };
  const advice = 'Correct the environment variable, or unset it.';
  return { name, state: 'problem', message: said.trim().replaceAll('\n', '; '), advice };
}
