/** Parses FETTLE_REGISTRIES, FETTLE_REGISTRY_TOKENS and FETTLE_INSTALL_SCRIPTS. */
import { SettingsError } from '@fettle/settings';
import { findEcosystem, offeredNames } from './ecosystems/ecosystems.ts';
import { createUpstream, type Upstream } from './upstream/upstream.ts';

export interface RegistrySettings {
  /** `npm=https://npm.example.com,pypi=https://pypi.org https://files.pythonhosted.org`; `none` for no registry. */
  registries: string | undefined;
  /** Secret: `npm=the-token`. */
  tokens: string | undefined;
}

/** With `npmByMachine`, npm's own configuration on this machine names its registry. */
export interface AllowedRegistries {
  upstreams: Upstream[];
  npmByMachine: boolean;
}

export function readRegistries({ registries, tokens }: RegistrySettings): AllowedRegistries {
  const tokenOf = new Map(splitPairs('FETTLE_REGISTRY_TOKENS', tokens));
  const listed = registries === 'none' ? [] : splitPairs('FETTLE_REGISTRIES', registries);
  const upstreams = listed.map(([name, value]) => {
    const addresses = value.split(/\s+/).map(readAddress);
    return allow(name, addresses, tokenOf.get(name));
  });
  const unused = [...tokenOf.keys()].find((name) => !listed.some(([known]) => known === name));
  if (unused !== undefined) {
    throw new SettingsError(`FETTLE_REGISTRY_TOKENS: FETTLE_REGISTRIES has no registry for ${unused}`);
  }
  return { upstreams, npmByMachine: registries === undefined };
}

function allow(name: string, addresses: string[], token: string | undefined): Upstream {
  const ecosystem = findEcosystem(name);
  if (ecosystem === undefined || !ecosystem.offered) {
    throw new SettingsError(`FETTLE_REGISTRIES: ${name} is not supported. Use ${offeredNames.join(', ')}`);
  }
  const upstream = createUpstream({ ecosystem, addresses, token });
  const { protocol, hostname } = upstream.registry;
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  if (token !== undefined && protocol !== 'https:' && !isLoopback) {
    throw new SettingsError(
      `FETTLE_REGISTRY_TOKENS: the token for ${name} would be sent unencrypted over http. Use an https address`,
    );
  }
  return upstream;
}

function splitPairs(setting: string, text: string | undefined): [string, string][] {
  const parts = (text ?? '')
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.map((part) => {
    const [, name, value] = /^([a-z]+)=(\S.*)$/.exec(part) ?? [];
    if (name === undefined || value === undefined) {
      throw new SettingsError(`${setting}: each entry must be name=value, for example npm=…`);
    }
    return [name, value];
  });
}

function readAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new SettingsError(
      'FETTLE_REGISTRIES: an address must be an http or https URL without credentials and query, for example npm=https://npm.example.com',
    );
  }
  return url.href;
}

/** The variables with which npm finds its configuration on this machine, and its way out. */
export function pickNpmEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = /^(PATH|HOME|TMPDIR|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_.*)$/i;
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => {
      return names.test(entry[0]) && entry[1] !== undefined;
    }),
  );
}

/** `esbuild,@scope/native`, separated by commas, spaces or newlines. `none` for none. */
export function parseScriptNames(text: string): string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  const pattern = names.find((name) => /[*?[\]{}!]/.test(name));
  if (pattern !== undefined) {
    throw new SettingsError(
      'FETTLE_INSTALL_SCRIPTS: patterns such as * are not supported. List the packages, for example esbuild,@scope/native',
    );
  }
  return names.length === 1 && names[0] === 'none' ? [] : names;
}
