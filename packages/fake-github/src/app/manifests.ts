/** The manifest flow: a form posts a manifest, a person confirms, and the code becomes an App with its key. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { notFound } from '../http/api-error.ts';
import { created, type Endpoint, route } from '../http/endpoint.ts';
import { appShape } from '../shapes/app.ts';
import type { Account } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { createApp } from './apps.ts';

export const manifestSchema = z.object({
  name: z.string().min(1).max(34),
  url: z.url(),
  hook_attributes: z.object({ url: z.url(), active: z.boolean().default(true) }).optional(),
  redirect_url: z.url().optional(),
  callback_urls: z.array(z.url()).optional(),
  setup_url: z.url().optional(),
  description: z.string().optional(),
  public: z.boolean().optional(),
  default_events: z.array(z.string()).default([]),
  default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).default({}),
});

export type Manifest = z.infer<typeof manifestSchema>;

const lifetimeMs = 3_600_000;

/** Returns the code that the browser carries back to `redirect_url`. */
export async function acceptManifest(world: World, manifest: Manifest, owner: Account): Promise<string> {
  const { hook_attributes: hook } = manifest;
  const { app, privateKey, clientSecret } = await createApp(world, {
    name: manifest.name,
    owner,
    url: manifest.url,
    permissions: manifest.default_permissions,
    events: manifest.default_events,
    hook: { url: hook?.active ? hook.url : undefined, secret: randomBytes(20).toString('hex') },
    ...(manifest.description !== undefined && { description: manifest.description }),
  });
  const code = randomBytes(20).toString('hex');
  world.manifests.set(code, { app, pem: privateKey, clientSecret, createdAt: world.nowMs() });
  return code;
}

export const manifestEndpoints: Endpoint[] = [
  route({
    method: 'POST',
    path: '/app-manifests/{code}/conversions',
    auth: 'none',
    run: ({ world, params: { code = '' } }) => {
      const found = world.manifests.get(code);
      if (!found || found.createdAt + lifetimeMs < world.nowMs()) throw notFound();
      // A code works once.
      world.manifests.delete(code);
      const { app, pem, clientSecret } = found;
      return created({
        ...appShape(world, app),
        client_id: app.clientId,
        client_secret: clientSecret,
        webhook_secret: app.hook.secret ?? null,
        pem,
      });
    },
  }),
];
