/** Finds out who calls: an App with a JWT, or the owner of a token. */
import { verifyAppJwt } from '../app/jwt.ts';
import type { App, Token } from '../state/model.ts';
import { digestOf, type World } from '../state/world.ts';
import { badCredentials } from './api-error.ts';

export type Caller = { kind: 'anonymous' } | { kind: 'app'; app: App } | { kind: 'token'; token: Token };

export function authenticate(world: World, authorization: string | undefined): Caller {
  if (authorization === undefined) return { kind: 'anonymous' };
  const [scheme = '', credentials = ''] = authorization.split(' ', 2);
  switch (scheme.toLowerCase()) {
    case 'basic':
      return { kind: 'token', token: requireToken(world, passwordOf(credentials)) };
    case 'bearer':
    case 'token':
      return credentials.split('.').length === 3
        ? { kind: 'app', app: verifyAppJwt(world, credentials) }
        : { kind: 'token', token: requireToken(world, credentials) };
    default:
      throw badCredentials();
  }
}

/** The text of a token is in the password, or in the user name if there is no password. */
function passwordOf(credentials: string): string {
  const [user = '', password = ''] = Buffer.from(credentials, 'base64').toString().split(':', 2);
  return password === '' || password === 'x-oauth-basic' ? user : password;
}

function requireToken(world: World, text: string): Token {
  const token = world.tokens.get(digestOf(text));
  if (!token || token.isRevoked) throw badCredentials();
  if (token.expiresAt !== undefined && token.expiresAt <= world.nowMs()) throw badCredentials();
  if (token.installation && !world.installations.includes(token.installation)) throw badCredentials();
  return token;
}
