/** The git hosts that requests may use, and the token for each. Only the settings define them. */
import type { GitHosts } from '@fettle/forge';
import { SettingsError } from '@fettle/settings';
import type { z } from 'zod';

/** Returns origins; a host without a scheme means https. Messages never repeat a value, which may contain a secret. */
export function parseGitHosts(text: string, context: z.RefinementCtx): string[] {
  return items(text).flatMap((item, index) => {
    const origin = toOrigin(item);
    if (origin === undefined)
      context.addIssue({ code: 'custom', message: `entry ${index + 1} is not a host` });
    return origin ?? [];
  });
}

export function parseGitTokens(text: string, context: z.RefinementCtx): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const [index, item] of items(text).entries()) {
    const [, host = '', token = ''] = /^([^=\s]+)=([\x21-\x7e]+)$/.exec(item) ?? [];
    const origin = toOrigin(host);
    if (origin !== undefined && token !== '') tokens.set(origin, token);
    else context.addIssue({ code: 'custom', message: `entry ${index + 1} is not of the form host=token` });
  }
  return tokens;
}

export function joinGitHosts(origins: string[], tokens: ReadonlyMap<string, string>): GitHosts {
  for (const origin of tokens.keys()) {
    if (!origins.includes(origin))
      throw new SettingsError(`FETTLE_GIT_TOKENS: ${origin} is not in FETTLE_GIT_HOSTS`);
    if (!isPrivateChannel(new URL(origin)))
      throw new SettingsError(
        `FETTLE_GIT_TOKENS: ${origin} does not use https, and the token would be sent unencrypted`,
      );
  }
  return new Map(origins.map((origin) => [origin, tokens.get(origin)]));
}

function isPrivateChannel({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function toOrigin(item: string): string | undefined {
  const url = URL.parse(item.includes('://') ? item : `https://${item}`);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  return isOrigin ? url.origin : undefined;
}

function items(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter(Boolean);
}
