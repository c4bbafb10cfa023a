/** The environment variables that each service gets, by name, so that a service has only the secrets it needs. */
import { type Service, settingList } from '@fettle/settings';
import type { Config } from '../config.ts';
import { compileCache } from '../process/workspace.ts';

const ofEveryProgram = ['HOME', 'PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];
// The tests find leaked processes by FETTLE_TEST_RUN.
const common = [...ofEveryProgram, 'FETTLE_TEST_RUN'];

/** The stack itself gives these to its services. */
const givenByStack = [
  'FETTLE_HOME',
  'FETTLE_HOST',
  'FETTLE_PORT',
  'FETTLE_URL',
  'FETTLE_WORKER_KEY',
  'FETTLE_BROKER_MISSING',
  'FETTLE_SIGN_OF_LIFE',
  'REDIS_URL',
];
const givenToBroker = [
  'FETTLE_BROKER_KEY',
  'FETTLE_BROKER_SOCKET',
  'FETTLE_BROKER_HOST',
  'FETTLE_BROKER_PORT',
];

const listRead = (service: Service) =>
  Object.keys(settingList).filter((name) => settingList[name]?.readBy.includes(service));
const settingsOf = (service: Service) => listRead(service).filter((name) => !givenByStack.includes(name));

const namesOf = {
  api: [...common, ...settingsOf('api')],
  worker: [
    ...common,
    ...settingsOf('code-worker'),
    ...['http_proxy', 'https_proxy', 'no_proxy', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    // Where npm finds its configuration on this machine.
    ...['npm_config_registry', 'npm_config_userconfig', 'npm_config_globalconfig'],
  ],
  broker: [...common, ...settingsOf('sandbox-broker').filter((name) => !givenToBroker.includes(name))],
};
export type ChildName = keyof typeof namesOf;

/** The names in the list of settings. */
const serviceOf = { api: 'api', worker: 'code-worker', broker: 'sandbox-broker' } as const;

/** The settings that the service needs, each with a valid value. */
export function listRequired(child: ChildName): [name: string, example: string][] {
  return Object.entries(settingList).flatMap(([name, { requiredBy, example }]) =>
    requiredBy?.includes(serviceOf[child]) ? [[name, example] as [string, string]] : [],
  );
}

/** As if this process were the service: with the settings that otherwise come from the stack. */
export function ownEnvironment(child: ChildName, config: Config): Record<string, string> {
  return pick(config, [...namesOf[child], ...listRead(serviceOf[child])]);
}

/** The settings in `own` come from the stack and win over the user's environment. */
export function childEnvironment(
  child: ChildName,
  config: Config,
  own: Record<string, string>,
): Record<string, string> {
  return { ...pick(config, namesOf[child]), ...own };
}

function pick({ environment }: Config, names: readonly string[]): Record<string, string> {
  const picked = names
    .flatMap((name) => [name, `${name}_FILE`])
    .flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]] as const]));
  return { ...Object.fromEntries(picked), NODE_COMPILE_CACHE: compileCache };
}
