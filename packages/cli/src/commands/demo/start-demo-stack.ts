import type { Config } from '../../config.ts';
import { type Stack, startStack } from '../../stack/start-stack.ts';

/** None of the user's settings: the demo must not touch their database, Redis or model. */
const keptVariables = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'FETTLE_TEST_RUN'];

export interface DemoStackOptions {
  config: Config;
  home: string;
  programs: string;
  gitleaks: string;
  modelUrl: string;
  /** More settings of the services. */
  settings?: Record<string, string>;
  signal: AbortSignal;
}

export function startDemoStack({
  config,
  home,
  programs,
  gitleaks,
  modelUrl,
  settings = {},
  signal,
}: DemoStackOptions): Promise<Stack> {
  const environment = Object.fromEntries(keptVariables.map((name) => [name, config.environment[name]]));
  return startStack({
    config: {
      ...config,
      host: '127.0.0.1',
      redisUrl: undefined,
      workerKey: undefined,
      // The demo runs only its own files, so it needs neither isolation nor a broker.
      sandbox: 'process',
      environment: { ...environment, ...settings },
    },
    home,
    port: 0,
    children: ['api', 'worker'],
    whenChildExits: 'fail',
    workerSettings: {
      PATH: `${programs}:${config.searchPath}`,
      FETTLE_SANDBOX: 'process',
      FETTLE_GITLEAKS: gitleaks,
      // The recorded model, whatever FETTLE_MODEL says.
      FETTLE_MODEL: 'claude-rehearsal',
      // Not part of the model's name, which would then be redacted.
      ANTHROPIC_API_KEY: 'key-of-the-demo',
      ANTHROPIC_BASE_URL: modelUrl,
    },
    signal,
  });
}
