/** The environment variables that each service gets, by name, so that a service has only the secrets it needs. */
import type { Config } from '../config.ts';
import { compileCache } from '../process/workspace.ts';

const ofEveryProgram = ['HOME', 'PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];
// The tests find leaked processes by FETTLE_TEST_RUN.
const common = [...ofEveryProgram, 'FETTLE_LOG_LEVEL', 'FETTLE_TEST_RUN'];

const namesOf = {
  api: [
    ...common,
    'FETTLE_RATE_LIMIT',
    'FETTLE_LEASE_SECONDS',
    'FETTLE_MAX_ATTEMPTS',
    'FETTLE_STATE_LIMITS',
    'FETTLE_REPOSITORIES',
    'FETTLE_GIT_HOSTS',
    'FETTLE_GIT_TOKENS',
    'FETTLE_MAX_PARTS',
    'FETTLE_MAX_TURNS',
    'FETTLE_MAX_TOKENS',
    'FETTLE_MAX_USD',
    'FETTLE_MAX_SECONDS',
    'DATABASE_URL',
  ],
  worker: [
    ...common,
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'FETTLE_WORKER_NAME',
    'FETTLE_CONCURRENCY',
    'FETTLE_SANDBOX',
    'FETTLE_SANDBOX_FOLDERS',
    'FETTLE_SANDBOX_MEMORY_MB',
    'FETTLE_SANDBOX_CPUS',
    'FETTLE_SANDBOX_PIDS',
    'FETTLE_SANDBOX_DISK_MB',
    'FETTLE_USAGE_SECONDS',
    'FETTLE_MODEL',
    'FETTLE_MODEL_OUTPUT_TOKENS',
    'FETTLE_MODEL_CONTEXT_TOKENS',
    'FETTLE_MODEL_THINKING',
    'FETTLE_MODEL_EFFORT',
    'FETTLE_MODEL_RETRIES',
    'FETTLE_MODEL_IDLE_SECONDS',
    'FETTLE_LOOP_THRESHOLD',
    'FETTLE_COMPACT_AT',
    'FETTLE_COMPACT_KEEP_TOKENS',
    'FETTLE_READ_BYTES',
    'FETTLE_WRITE_BYTES',
    'FETTLE_COMMAND_SECONDS',
    'FETTLE_COMMAND_OUTPUT_BYTES',
    'FETTLE_COMMAND_MEMORY_MB',
    'FETTLE_FILE_REQUESTS_BURST',
    'FETTLE_FILE_REQUESTS_PER_MINUTE',
    'FETTLE_BROKER_URL',
    'FETTLE_BROKER_KEY',
    'FETTLE_REGISTRIES',
    'FETTLE_REGISTRY_TOKENS',
    'FETTLE_REGISTRY_CACHE_BYTES',
    'FETTLE_INSTALL_SCRIPTS',
    'FETTLE_ALLOW_GUARDS',
    'FETTLE_MASK_SECRETS',
    'FETTLE_CHANGE_FILE_BYTES',
    'FETTLE_COMMANDS',
    'FETTLE_POLICY_FILE',
    'FETTLE_GITLEAKS',
    // Where npm finds its configuration on this machine.
    'npm_config_registry',
    'npm_config_userconfig',
    'npm_config_globalconfig',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
  ],
  broker: [
    ...common,
    'DOCKER_HOST',
    'FETTLE_BROKER_NAME',
    'FETTLE_SANDBOX_IMAGES',
    'FETTLE_SANDBOX_RUNTIME',
    'FETTLE_SANDBOX_MEMORY_MB',
    'FETTLE_SANDBOX_CPUS',
    'FETTLE_SANDBOX_PIDS',
    'FETTLE_SANDBOX_DISK_MB',
    'FETTLE_SANDBOX_TMP_MB',
    'FETTLE_SANDBOX_SECONDS',
    'FETTLE_MAX_SANDBOXES',
  ],
};
export type ChildName = keyof typeof namesOf;

/** The settings in `own` come from the stack and win over the user's environment. */
export function childEnvironment(
  child: ChildName,
  { environment }: Config,
  own: Record<string, string>,
): Record<string, string> {
  const picked = namesOf[child]
    .flatMap((name) => [name, `${name}_FILE`])
    .flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]] as const]));
  return { ...Object.fromEntries(picked), NODE_COMPILE_CACHE: compileCache, ...own };
}
