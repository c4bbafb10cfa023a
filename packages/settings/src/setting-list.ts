/** Every setting of Fettle: which services read it, and whether it is a secret. Compose and the docs are tested against it. */
export type Service = 'api' | 'code-worker' | 'sandbox-broker' | 'gateway' | 'cli';

export interface Setting {
  readBy: Service[];
  isSecret?: true;
  /** Services that do not start without it. */
  requiredBy?: Service[];
  /** A valid value that is not the default. */
  example: string;
  /** Why docker-compose.yml does not pass this setting on: from `.env`, or from `secrets/` if it is a secret. It passes on all others. */
  notInCompose?: string;
}

const api: Service[] = ['api'];
const worker: Service[] = ['code-worker'];
const broker: Service[] = ['sandbox-broker'];
const workerAndCli: Service[] = ['code-worker', 'cli'];
const workerAndGateway: Service[] = ['code-worker', 'gateway'];

const inImage = 'the image sets it';
const inFile = 'docker-compose.yml connects the services';

export const settingList: Record<string, Setting> = {
  // Addresses and folders
  FETTLE_HOME: { readBy: ['api', 'code-worker', 'cli'], example: '/srv/fettle', notInCompose: inImage },
  FETTLE_HOST: { readBy: ['api', 'cli'], example: '0.0.0.0', notInCompose: inFile },
  FETTLE_PORT: { readBy: ['api', 'cli'], example: '4800', notInCompose: 'it is the port of the host' },
  FETTLE_URL: { readBy: workerAndCli, example: 'http://127.0.0.1:4800', notInCompose: inFile },
  FETTLE_TOKEN: { readBy: ['cli'], isSecret: true, example: 'a-token' },
  DATABASE_URL: {
    readBy: ['api', 'cli'],
    isSecret: true,
    example: 'postgresql://fettle:secret@db/fettle',
    notInCompose: inFile,
  },
  REDIS_URL: {
    readBy: ['api', 'code-worker', 'cli'],
    requiredBy: ['api', 'code-worker'],
    isSecret: true,
    example: 'redis://cache:6379',
    notInCompose: inFile,
  },
  FETTLE_BROKER_URL: { readBy: workerAndCli, example: 'http://broker:4748', notInCompose: inFile },
  FETTLE_BROKER_SOCKET: { readBy: broker, example: '/run/broker.sock', notInCompose: inFile },
  FETTLE_BROKER_HOST: { readBy: broker, example: '0.0.0.0', notInCompose: inImage },
  FETTLE_BROKER_PORT: { readBy: broker, example: '4749', notInCompose: inFile },
  DOCKER_HOST: {
    readBy: ['sandbox-broker', 'cli'],
    example: 'unix:///run/docker.sock',
    notInCompose: inFile,
  },
  // Keys
  FETTLE_WORKER_KEY: {
    readBy: ['api', 'code-worker', 'cli'],
    requiredBy: ['api', 'code-worker'],
    isSecret: true,
    example: 'a-key-of-sixteen-or-more',
  },
  FETTLE_BROKER_KEY: {
    readBy: ['code-worker', 'sandbox-broker', 'cli'],
    requiredBy: broker,
    isSecret: true,
    example: 'another-key-of-sixteen',
  },
  ANTHROPIC_API_KEY: { readBy: workerAndCli, isSecret: true, example: 'a-model-key' },
  OPENAI_API_KEY: { readBy: workerAndCli, isSecret: true, example: 'another-model-key' },
  FETTLE_GIT_TOKENS: { readBy: api, isSecret: true, example: 'git.example.com=a-git-token' },
  FETTLE_REGISTRY_TOKENS: { readBy: worker, isSecret: true, example: 'npm=a-registry-token' },
  // Operations
  FETTLE_RATE_LIMIT: { readBy: api, example: '100' },
  FETTLE_LEASE_SECONDS: { readBy: api, example: '9' },
  FETTLE_MAX_ATTEMPTS: { readBy: api, example: '3' },
  FETTLE_MAX_REVISIONS: { readBy: api, example: '3' },
  FETTLE_STATE_LIMITS: { readBy: api, example: 'queued=100' },
  FETTLE_CHECKPOINT_DAYS: { readBy: api, example: '7' },
  FETTLE_REPOSITORIES: {
    readBy: api,
    example: '/srv/repositories',
    notInCompose: 'it is the folder of the host',
  },
  FETTLE_GIT_HOSTS: { readBy: api, example: 'git.example.com' },
  GITHUB_APP_ID: { readBy: api, example: '12345' },
  GITHUB_APP_PRIVATE_KEY: {
    readBy: api,
    isSecret: true,
    example: 'a-key-in-pem',
  },
  GITHUB_WEBHOOK_SECRET: { readBy: api, isSecret: true, example: 'a-webhook-secret' },
  GITHUB_URL: { readBy: ['api', 'cli'], example: 'https://github.example.com' },
  GITHUB_API_URL: { readBy: ['api', 'cli'], example: 'https://github.example.com/api/v3' },
  GITHUB_TOKEN: { readBy: api, isSecret: true, example: 'a-token-of-github' },
  GITHUB_TOKEN_FROM_GH: { readBy: ['cli'], example: 'on' },
  GITHUB_REPOSITORIES: { readBy: api, example: 'acme/shop' },
  GITHUB_POLL_SECONDS: { readBy: api, example: '15' },
  GITHUB_COLLECT_SECONDS: { readBy: api, example: '10' },
  GITHUB_REQUESTERS: { readBy: api, example: 'ada,bob' },
  FETTLE_MAX_OPEN_PULL_REQUESTS: { readBy: api, example: '3' },
  FETTLE_MAX_HOURLY_PULL_REQUESTS: { readBy: api, example: '2' },
  FETTLE_MAX_PARTS: { readBy: api, example: '11' },
  FETTLE_MAX_TURNS: { readBy: api, example: '12' },
  FETTLE_MAX_TOKENS: { readBy: api, example: '13000' },
  FETTLE_MAX_USD: { readBy: api, example: '1.5' },
  FETTLE_MAX_SECONDS: { readBy: api, example: '140' },
  FETTLE_LOG_LEVEL: { readBy: ['api', 'code-worker', 'sandbox-broker', 'gateway'], example: 'debug' },
  // The worker
  FETTLE_WORKER_NAME: {
    readBy: worker,
    example: 'worker-a',
    notInCompose: 'each of several workers needs a name of its own',
  },
  FETTLE_CONCURRENCY: { readBy: worker, example: '7' },
  FETTLE_SIGN_OF_LIFE: { readBy: worker, example: '/tmp/life', notInCompose: inImage },
  FETTLE_USAGE_SECONDS: { readBy: worker, example: '20' },
  FETTLE_BROKER_MISSING: { readBy: worker, example: 'no engine', notInCompose: 'the command line sets it' },
  FETTLE_SANDBOX: { readBy: workerAndCli, example: 'process', notInCompose: inFile },
  FETTLE_SANDBOX_FOLDERS: {
    readBy: workerAndCli,
    example: '/usr/share',
    notInCompose: 'it is for bubblewrap',
  },
  FETTLE_COMPACT_AT: { readBy: worker, example: '70' },
  FETTLE_COMPACT_KEEP_TOKENS: { readBy: worker, example: '30000' },
  FETTLE_LOOP_THRESHOLD: { readBy: worker, example: '4' },
  FETTLE_READ_BYTES: { readBy: worker, example: '900000' },
  FETTLE_WRITE_BYTES: { readBy: worker, example: '400000' },
  FETTLE_COMMAND_SECONDS: { readBy: worker, example: '200' },
  FETTLE_CHECK_SECONDS: { readBy: worker, example: '1000' },
  FETTLE_LONG_CHECK_SECONDS: { readBy: worker, example: '60' },
  FETTLE_COMMAND_OUTPUT_BYTES: { readBy: worker, example: '9000000' },
  FETTLE_COMMAND_MEMORY_MB: { readBy: worker, example: '700' },
  FETTLE_FILE_REQUESTS_BURST: { readBy: worker, example: '200' },
  FETTLE_FILE_REQUESTS_PER_MINUTE: { readBy: worker, example: '90' },
  FETTLE_REGISTRIES: { readBy: worker, example: 'npm=https://npm.example.com' },
  FETTLE_REGISTRY_CACHE_BYTES: { readBy: worker, example: '4000000' },
  FETTLE_INSTALL_SCRIPTS: { readBy: worker, example: 'esbuild' },
  FETTLE_ALLOW_GUARDS: { readBy: worker, example: 'AGENTS.md' },
  FETTLE_COMMANDS: { readBy: worker, example: 'strict' },
  FETTLE_POLICY_FILE: { readBy: workerAndCli, example: '/etc/fettle/policy.yml' },
  FETTLE_GITLEAKS: { readBy: workerAndCli, example: '/opt/gitleaks', notInCompose: inImage },
  FETTLE_MASK_SECRETS: { readBy: worker, example: 'off' },
  FETTLE_FAULT_EVIDENCE: { readBy: worker, example: 'off' },
  FETTLE_CHANGE_FILE_BYTES: { readBy: worker, example: '1000000' },
  // The model
  FETTLE_MODEL: { readBy: workerAndCli, example: 'claude-opus-5-5' },
  FETTLE_MODEL_OUTPUT_TOKENS: { readBy: worker, example: '8000' },
  FETTLE_MODEL_CONTEXT_TOKENS: { readBy: worker, example: '100000' },
  FETTLE_MODEL_RETRIES: { readBy: worker, example: '3' },
  FETTLE_MODEL_IDLE_SECONDS: { readBy: worker, example: '30' },
  FETTLE_MODEL_THINKING: { readBy: worker, example: 'adaptive' },
  FETTLE_MODEL_EFFORT: { readBy: worker, example: 'low' },
  ANTHROPIC_BASE_URL: { readBy: workerAndCli, example: 'https://models.example.com' },
  OPENAI_BASE_URL: { readBy: workerAndCli, example: 'https://other.example.com/v1' },
  HTTP_PROXY: { readBy: workerAndGateway, isSecret: true, example: 'http://proxy.example.com:3128' },
  HTTPS_PROXY: { readBy: workerAndGateway, isSecret: true, example: 'http://proxy.example.com:3129' },
  NO_PROXY: { readBy: workerAndGateway, example: '.example.com' },
  FETTLE_EGRESS_HOSTS: { readBy: ['gateway'], example: 'api.example.com' },
  // Sandboxes
  FETTLE_BROKER_NAME: { readBy: broker, example: 'broker-a' },
  FETTLE_SANDBOX_IMAGES: { readBy: broker, example: 'fettle-sandbox:other' },
  FETTLE_SANDBOX_RUNTIME: { readBy: broker, example: 'runsc' },
  FETTLE_SANDBOX_MEMORY_MB: { readBy: ['code-worker', 'sandbox-broker', 'cli'], example: '1024' },
  FETTLE_SANDBOX_CPUS: { readBy: ['code-worker', 'sandbox-broker', 'cli'], example: '3' },
  FETTLE_SANDBOX_PIDS: { readBy: ['code-worker', 'sandbox-broker', 'cli'], example: '128' },
  FETTLE_SANDBOX_DISK_MB: { readBy: ['code-worker', 'sandbox-broker', 'cli'], example: '5000' },
  FETTLE_SANDBOX_TMP_MB: { readBy: broker, example: '32' },
  FETTLE_SANDBOX_TOOLS_MB: { readBy: broker, example: '2048' },
  FETTLE_SANDBOX_SECONDS: { readBy: broker, example: '7200' },
  FETTLE_COLLECT_SECONDS: { readBy: broker, example: '30' },
  FETTLE_MAX_SANDBOXES: { readBy: broker, example: '16' },
};
