/**
 * Gives every service of docker-compose.yml a folder with its own secrets, each a file that only its user can read. Secrets
 * come from the operator's folder (`./secrets`). What is not there and can be generated is generated once.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Secrets that only Fettle's own services know. */
const generated = ['FETTLE_WORKER_KEY', 'FETTLE_BROKER_KEY', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD'];

/** The users of the images. */
const node = 1000;
const root = 0;
/** The same in the upstream images of Postgres and Redis. */
const server = 999;

export const serviceSecrets: Record<string, { user: number; files: string[] }> = {
  api: {
    user: node,
    files: [
      ...['DATABASE_URL', 'REDIS_URL', 'FETTLE_WORKER_KEY', 'FETTLE_GIT_TOKENS'],
      ...['GITHUB_APP_PRIVATE_KEY', 'GITHUB_WEBHOOK_SECRET', 'GITHUB_TOKEN', 'ca.pem'],
    ],
  },
  'code-worker': {
    user: node,
    files: [
      'REDIS_URL',
      'FETTLE_WORKER_KEY',
      'FETTLE_BROKER_KEY',
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'FETTLE_REGISTRY_TOKENS',
      'ca.pem',
    ],
  },
  'sandbox-broker': { user: root, files: ['FETTLE_BROKER_KEY'] },
  egress: { user: node, files: ['HTTP_PROXY', 'HTTPS_PROXY', 'ca.pem'] },
  postgres: { user: server, files: ['POSTGRES_PASSWORD'] },
  redis: { user: server, files: ['redis.conf', 'REDIS_PASSWORD'] },
};

export interface SecretFolders {
  /** The operator's secrets, one file each. */
  given: string;
  /** A company's certificate authorities. May be empty. */
  ca: string;
  /** Keeps what was generated. */
  kept: string;
  /** Gets one folder for each service. */
  services: string;
}

/** Returns the names of secrets that were generated now. */
export function makeSecrets({ given, ca, kept, services }: SecretFolders): string[] {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');
  const made: string[] = [];
  const readOrMake = (name: string): string => {
    const value = read(join(given, name)) || read(join(kept, name));
    if (value !== '' || !generated.includes(name)) return value || (derived[name]?.() ?? '');
    const random = randomBytes(32).toString('hex');
    write(join(kept, name), random, root);
    made.push(name);
    return random;
  };
  const password = (name: string) => encodeURIComponent(readOrMake(name));
  const derived: Record<string, () => string> = {
    DATABASE_URL: () => `postgresql://fettle:${password('POSTGRES_PASSWORD')}@postgres:5432/fettle`,
    REDIS_URL: () => `redis://:${password('REDIS_PASSWORD')}@redis:6379`,
    'redis.conf': () => `requirepass ${JSON.stringify(readOrMake('REDIS_PASSWORD'))}`,
    'ca.pem': () => read(ca),
  };
  for (const [service, { user, files }] of Object.entries(serviceSecrets)) {
    const folder = join(services, service);
    mkdirSync(folder, { recursive: true });
    // A secret that is not given is an empty file, which counts as not set.
    for (const name of files) write(join(folder, name), readOrMake(name), user);
    chown(folder, user);
    chmodSync(folder, 0o500);
  }
  return made;
}

/** In one step, because services that already run may be reading it. */
function write(path: string, text: string, user: number): void {
  writeFileSync(`${path}.new`, text === '' ? '' : `${text}\n`, { mode: 0o400 });
  chown(`${path}.new`, user);
  renameSync(`${path}.new`, path);
}

/** Tests do not always run as root. */
function chown(path: string, user: number): void {
  if (process.getuid?.() === 0) chownSync(path, user, user);
}
