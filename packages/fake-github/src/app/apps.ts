import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Account, App, Permissions } from '../state/model.ts';
import type { World } from '../state/world.ts';

export interface AppOptions {
  name: string;
  owner: Account;
  description?: string;
  url?: string;
  permissions?: Permissions;
  events?: string[];
  hook?: { url?: string | undefined; secret?: string | undefined };
}

export interface CreatedApp {
  app: App;
  /** PKCS#1, as GitHub hands it out. */
  privateKey: string;
  clientSecret: string;
}

export async function createApp(world: World, options: AppOptions): Promise<CreatedApp> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const slug = options.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const id = world.nextId();
  const bot: Account = { id: world.nextId(), login: `${slug}[bot]`, name: undefined, type: 'Bot' };
  world.accounts.set(bot.login, bot);
  const app: App = {
    id,
    slug,
    name: options.name,
    description: options.description ?? '',
    owner: options.owner,
    bot,
    clientId: `Iv23li${randomBytes(7).toString('hex')}`,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    permissions: { metadata: 'read', ...options.permissions },
    events: options.events ?? [],
    hook: { url: options.hook?.url, secret: options.hook?.secret, contentType: 'json' },
    externalUrl: options.url ?? world.url,
    createdAt: world.now(),
  };
  world.apps.push(app);
  return {
    app,
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    clientSecret: randomBytes(20).toString('hex'),
  };
}
