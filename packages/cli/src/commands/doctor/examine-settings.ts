import { runProgram } from '@fettle/process';
import type { Config } from '../../config.ts';
import { serviceMain } from '../../process/workspace.ts';
import { type ChildName, childEnvironment } from '../../stack/child-environment.ts';
import type { Diagnosis } from './diagnosis.ts';

const timeoutMs = 30_000;
/** Placeholders for the settings that the stack generates. */
const key = 'for-the-doctor-only';
const generated = {
  api: { FETTLE_WORKER_KEY: key, REDIS_URL: 'unix:///redis.sock' },
  worker: {
    FETTLE_WORKER_KEY: key,
    REDIS_URL: 'unix:///redis.sock',
    ANTHROPIC_API_KEY: 'unset',
    OPENAI_API_KEY: 'unset',
  },
  broker: { FETTLE_BROKER_KEY: key },
};

/** Starts the service with --check-settings: it validates its settings and exits. */
export async function examineSettings(config: Config, service: ChildName): Promise<Diagnosis> {
  const name = `${service} settings`;
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', serviceMain[service]];
  const environment = {
    ...generated[service],
    ...childEnvironment(service, config, {}),
    FETTLE_HOME: config.home,
  };
  const { exitCode, stderr } = await runProgram([...argv, '--check-settings'], { environment, timeoutMs });
  if (exitCode === 0) return { name, state: 'ok', message: 'valid' };
  const advice = 'Correct the environment variable, or unset it.';
  return { name, state: 'problem', message: stderr.trim().replaceAll('\n', '; '), advice };
}
