import { expect, test } from 'vitest';
import { parseScriptNames, pickNpmEnvironment, readRegistries } from './settings.ts';

const read = (registries?: string, tokens?: string) => {
  const { upstreams, npmByMachine } = readRegistries({ registries, tokens });
  const shown = upstreams.map(({ ecosystem, registry, files, redirectsTo, token }) => ({
    name: ecosystem.name,
    registry: registry.href,
    files: files.href,
    redirectsTo,
    token,
  }));
  return { shown, npmByMachine };
};

test('without a setting, npm’s own configuration on this machine applies', () => {
  expect(read()).toEqual({ shown: [], npmByMachine: true });
  expect(read('none')).toEqual({ shown: [], npmByMachine: false });
});

test('reads registries, their hosts and their tokens', () => {
  const { shown } = read('npm=https://npm.example.com/all, pypi=https://pypi.org', 'npm=a-token');
  expect(shown).toEqual([
    {
      ...{ name: 'npm', redirectsTo: ['https://npm.example.com'], token: 'a-token' },
      ...{ registry: 'https://npm.example.com/all/', files: 'https://npm.example.com/all/' },
    },
    {
      name: 'pypi',
      registry: 'https://pypi.org/',
      files: 'https://files.pythonhosted.org/',
      redirectsTo: ['https://pypi.org', 'https://files.pythonhosted.org'],
      token: undefined,
    },
  ]);
  expect(read('npm=https://a.example https://cdn.example').shown[0]?.redirectsTo).toEqual([
    'https://a.example',
    'https://cdn.example',
  ]);
  expect(read('npm=http://localhost:4873', 'npm=t').shown[0]?.token).toBe('t');
});

test.each([
  ['npm', undefined, /name=value/],
  ['maven=https://a.example', undefined, /maven is not supported. Use npm, pypi, go$/],
  ['crates=https://index.crates.io', undefined, /crates is not supported/],
  ['npm=ftp://a.example', undefined, /an address must be an http/],
  ['npm=https://me:hunter2@a.example', undefined, /an address must be an http/],
  ['npm=http://a.example', 'npm=hunter2', /unencrypted over http/],
  ['npm=https://a.example', 'pypi=hunter2', /has no registry for pypi/],
  [undefined, 'npm=hunter2', /has no registry for npm/],
])('says what is wrong with %s and never shows a secret', (registries, tokens, message) => {
  expect(() => read(registries, tokens)).toThrow(message);
  expect(() => read(registries, tokens)).not.toThrow(/hunter2/);
});

test('packages with allowed scripts are listed by name', () => {
  expect(parseScriptNames('none')).toEqual([]);
  expect(parseScriptNames('esbuild, @scope/native')).toEqual(['esbuild', '@scope/native']);
  for (const text of ['*', 'esbuild,@scope/*']) {
    expect(() => parseScriptNames(text)).toThrow(
      /^FETTLE_INSTALL_SCRIPTS: patterns such as \* are not supported/,
    );
  }
});

test('npm gets its own settings and the proxy, and no other variable', () => {
  const environment = {
    PATH: '/bin',
    NPM_CONFIG_REGISTRY: 'https://npm.example.com',
    https_proxy: 'http://proxy.example.com',
  };
  const others = { ANTHROPIC_API_KEY: 'secret', npm_config_userconfig: undefined };
  expect(pickNpmEnvironment({ ...environment, ...others })).toEqual(environment);
});
