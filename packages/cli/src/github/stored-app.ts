/** The GitHub App that `fettle github setup` created. The api reads its key and secret as NAME_FILE. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isExposed, storePrivately } from '../process/private-files.ts';
import { type Environment, isSet } from '../user-config/read-user-config.ts';

const storedSchema = z.object({
  appId: z.string(),
  slug: z.string(),
  appUrl: z.string(),
  githubUrl: z.string(),
  apiUrl: z.string(),
});
export type StoredApp = z.infer<typeof storedSchema>;

const folderOf = (home: string) => join(home, 'github');
const keyFile = 'private-key.pem';
const secretFile = 'webhook-secret';
const appFile = 'app.json';

export interface NewApp extends StoredApp {
  privateKey: string;
  webhookSecret: string | null;
}

export function storeApp(home: string, { privateKey, webhookSecret, ...app }: NewApp): string {
  const folder = folderOf(home);
  storePrivately(folder, keyFile, privateKey);
  if (webhookSecret !== null) storePrivately(folder, secretFile, `${webhookSecret}\n`);
  // Last: it makes the others count.
  storePrivately(folder, appFile, `${JSON.stringify(app, undefined, 2)}\n`);
  return folder;
}

export function readStoredApp(home: string): StoredApp | undefined {
  const path = join(folderOf(home), appFile);
  if (!existsSync(path)) return undefined;
  try {
    return storedSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Files of the App that other users of this machine can read. */
export function listExposed(home: string): string[] {
  return [keyFile, secretFile].map((name) => join(folderOf(home), name)).filter(isExposed);
}

/** Names the stored App to the api, unless the environment connects GitHub itself. */
export function addStoredApp(environment: Environment, home: string): Environment {
  const isConnected = ['GITHUB_APP_ID', 'GITHUB_APP_PRIVATE_KEY'].some((name) => isSet(environment, name));
  const app = isConnected ? undefined : readStoredApp(home);
  if (!app) return environment;
  const secret = join(folderOf(home), secretFile);
  return {
    ...environment,
    GITHUB_APP_ID: app.appId,
    GITHUB_APP_PRIVATE_KEY_FILE: join(folderOf(home), keyFile),
    ...(!isSet(environment, 'GITHUB_WEBHOOK_SECRET') &&
      existsSync(secret) && { GITHUB_WEBHOOK_SECRET_FILE: secret }),
    ...{ GITHUB_URL: app.githubUrl, GITHUB_API_URL: app.apiUrl },
  };
}
