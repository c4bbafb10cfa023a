/**
 * The sparse index and the crates. Cargo reads the address of its registry from a file, not from the environment, so
 * sandboxes are not offered this ecosystem yet.
 */
import { type Ecosystem, maxSizes } from './ecosystem.ts';

const crate = '([A-Za-z0-9_-]{1,64})';

export const crates: Ecosystem = {
  name: 'crates',
  publicRegistry: 'https://index.crates.io/',
  publicFiles: 'https://static.crates.io/',
  redirectsTo: [],
  offered: false,
  routes: [
    {
      name: 'config',
      pattern: /^\/config\.json$/,
      resource: () => ({ path: 'config.json' }),
      keep: 'revalidate',
      maxBytes: maxSizes.page,
      contentType: 'application/json',
      rewrite: {
        pattern: /"(dl|api)"\s*:\s*"[^"{}]{1,500}"/g,
        replace: ([key], place) => `"${key}":"${place.base}${key === 'dl' ? 'crates' : 'none'}"`,
      },
      match: ['/config.json'],
      notMatch: ['/config.toml'],
    },
    {
      name: 'index',
      pattern: /^\/((?:[12]|3\/[a-z0-9_-]|[a-z0-9_-]{2}\/[a-z0-9_-]{2})\/[a-z0-9_-]{1,64})$/,
      resource: ([path = '']) => ({ path }),
      keep: 'revalidate',
      maxBytes: maxSizes.index,
      contentType: 'text/plain',
      match: ['/se/rd/serde', '/1/a', '/3/s/syn'],
      notMatch: ['/serde', '/api/v1/crates/new', '/../x', '/me'],
    },
    {
      name: 'crate',
      pattern: new RegExp(`^\\/crates\\/${crate}\\/([0-9][A-Za-z0-9.+-]{0,100})\\/download$`),
      resource: ([name, version]) => ({ path: `crates/${name}/${name}-${version}.crate` }),
      fromFiles: true,
      keep: 'forever',
      maxBytes: maxSizes.archive,
      contentType: 'application/gzip',
      match: ['/crates/serde/1.0.200/download'],
      notMatch: ['/crates/serde/1.0.200/unyank', '/crates/serde/../download', '/crates/new'],
    },
  ],
};
