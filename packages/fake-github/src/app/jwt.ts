/** The JWTs of Apps. GitHub checks the signature, the issuer and a lifetime of at most ten minutes. */
import { verify } from 'node:crypto';
import { z } from 'zod';
import { badCredentials } from '../http/api-error.ts';
import type { App } from '../state/model.ts';
import type { World } from '../state/world.ts';

const headerSchema = z.object({ alg: z.literal('RS256') });
const claimsSchema = z.object({
  iss: z.union([z.string(), z.number()]),
  iat: z.number(),
  exp: z.number(),
});

const maxLifetimeSeconds = 600;
const clockToleranceSeconds = 60;

export function verifyAppJwt(world: World, jwt: string): App {
  const [header = '', claims = '', signature = ''] = jwt.split('.');
  const undecodable = badCredentials('A JSON web token could not be decoded');
  const parsedHeader = headerSchema.safeParse(decode(header));
  const parsed = claimsSchema.safeParse(decode(claims));
  if (!parsedHeader.success || !parsed.success) throw undecodable;
  const { iss, iat, exp } = parsed.data;
  const app = world.apps.find((each) => String(each.id) === String(iss) || each.clientId === iss);
  if (!app) throw badCredentials('Integration not found');
  const signed = Buffer.from(`${header}.${claims}`);
  if (!verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'))) throw undecodable;
  const now = world.nowMs() / 1000;
  if (exp <= now)
    throw badCredentials(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (
    exp > now + maxLifetimeSeconds + clockToleranceSeconds ||
    exp - iat > maxLifetimeSeconds + clockToleranceSeconds
  )
    throw badCredentials("'Expiration time' claim ('exp') is too far in the future");
  if (iat > now + clockToleranceSeconds)
    throw badCredentials(
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  return app;
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return undefined;
  }
}
