/** The proxy for outbound traffic, from the variables that curl, git, npm and Node read. */
import { SettingsError } from './read-settings.ts';
import { listUrlSecrets } from './secret-parts.ts';

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/**
 * In the form of the `proxyEnv` option of Node's HTTP agents. Where a variable is set in both cases, the lower-case one
 * wins, as in curl. Node ignores a proxy that it cannot use and connects directly, so such a value is an error here.
 */
export function readProxy(environment: Record<string, string | undefined>): Record<string, string> {
  const proxy: Record<string, string> = {};
  for (const name of proxyNames) {
    const value = environment[name]?.trim();
    if (value) proxy[name] = /^no_proxy$/i.test(name) ? value : readAddress(name, value);
  }
  return proxy;
}

/** The passwords in the addresses of the proxies. */
export function listProxySecrets(proxy: Record<string, string>): string[] {
  return Object.values(proxy).flatMap(listUrlSecrets);
}

/** curl and git accept an address without a scheme and take it for http. */
function readAddress(name: string, value: string): string {
  const address = value.includes('://') ? value : `http://${value}`;
  if (/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return address;
  // The value may contain a password, so the message does not repeat it.
  throw new SettingsError(`${name}: must be an http or https URL, for example http://proxy.example.com:3128`);
}
