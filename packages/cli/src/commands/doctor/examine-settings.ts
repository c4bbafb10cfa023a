import { runProgram } from '@fettle/process';
import type { Config } from '../../config.ts';
import { serviceMain } from '../../process/workspace.ts';
import {
  type ChildName,
  childEnvironment,
  listRequired,
  ownEnvironment,
} from '../../stack/child-environment.ts';
import type { Diagnosis } from './diagnosis.ts';

const timeoutMs = 30_000;
/** Which one is needed depends on the model; "model key" in the report is about it. */
const modelKeys = { ANTHROPIC_API_KEY: 'unset', OPENAI_API_KEY: 'unset' };

/** The settings of a service that `fettle` starts itself, with placeholders for what it generates then. */
export async function examineSettings(config: Config, service: ChildName): Promise<Diagnosis> {
  const environment = {
    ...Object.fromEntries(listRequired(service)),
    ...(service === 'worker' && modelKeys),
    ...childEnvironment(service, config, {}),
    FETTLE_HOME: config.home,
  };
  return checkSettings(service, environment);
}

/** The settings of a service in this environment, for example in its container. */
export async function examineService(config: Config, service: ChildName): Promise<Diagnosis[]> {
  const { environment } = config;
  const lacking = listRequired(service)
    .map(([name]) => name)
    .filter((name) => !environment[name] && !environment[`${name}_FILE`]);
  if (lacking.length === 0) return [await checkSettings(service, ownEnvironment(service, config))];
  return lacking.map((name) => ({
    ...{ name: `${service} settings`, state: 'problem', message: `the ${service} lacks ${name}` },
    advice: `Set ${name}, or ${name}_FILE to the path of a file with its value. See docs/settings.md.`,
  }));
}

/** Starts the service with --check-settings: it validates its settings and exits. */
async function checkSettings(service: ChildName, environment: Record<string, string>): Promise<Diagnosis> {
  const name = `${service} settings`;
  const argv = [process.execPath, '--disable-warning=ExperimentalWarning', serviceMain[service]];
  const { exitCode, stderr } = await runProgram([...argv, '--check-settings'], { environment, timeoutMs });
  if (exitCode === 0) return { name, state: 'ok', message: 'valid' };
  const advice = 'Correct the environment variable, or unset it.';
  return { name, state: 'problem', message: stderr.trim().replaceAll('\n', '; '), advice };
}
