/** The URL of a server, which may contain a password. */
import { z } from 'zod';

const advice = 'is not a valid URL; in a user name or password, write / ? # @ : % as %2F %3F %23 %40 %3A %25';

/**
 * A password with a special character that is not percent-encoded would end too early: the rest of it would become the port,
 * the database or a part of the query, and appear in errors of drivers. No message contains the URL.
 */
export function serverUrl(protocols: readonly string[]) {
  return z.string().refine((text) => protocols.includes(protocolOf(text)) && isUnambiguous(text), advice);
}

const protocolOf = (text: string) => /^([a-z]+):\/\//.exec(text)?.[1] ?? '';

function isUnambiguous(text: string): boolean {
  // The path of a socket is the rest of the text.
  if (text.startsWith('unix://')) return true;
  const url = URL.parse(text);
  if (url === null || url.host === '') return false;
  const afterHost = `${url.pathname}${url.search}${url.hash}`;
  return !afterHost.includes('@') && url.hash === '' && [url.username, url.password].every(isEncoded);
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
