import type { Config } from '../../config.ts';
import { type Stack, startStack } from '../../stack/start-stack.ts';

// Of the person's settings none: the demo must not touch a database, a Redis or a model of theirs.
const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'FETTLE_TEST_RUN'];

export interface DemoStackOptions {
  config: Config;
  home: string;
  programs: string;
  modelUrl: string;
  signal: AbortSignal;
}

export function startDemoStack({
  config,
  home,
  programs,
  modelUrl,
  signal,
}: DemoStackOptions): Promise<Stack> {
  const environment = Object.fromEntries(kept.map((name) => [name, config.environment[name]]));
  return startStack({
    config: {
      ...config,
      host: '127.0.0.1',
      redisUrl: undefined,
      workerKey: undefined,
      // It runs nothing but its own files, and wants no broker.
      sandbox: 'process',
      environment,
    },
    home,
    port: 0,
    children: ['api', 'worker'],
    whenChildEnds: 'fail',
    workerSettings: {
      PATH: `${programs}:${config.searchPath}`,
      FETTLE_SANDBOX: 'process',
      // Whatever model the person has set, the demo asks its own.
      FETTLE_MODEL: 'claude-rehearsal',
      ANTHROPIC_API_KEY: 'rehearsal',
      ANTHROPIC_BASE_URL: modelUrl,
    },
    signal,
  });
}
