/** The GOPROXY protocol. Its responses contain no addresses to rewrite. */
import { type Ecosystem, maxSizes } from './ecosystem.ts';

const element = '[A-Za-z0-9!_~-][A-Za-z0-9!._~-]{0,99}';
const module = `(${element}(?:\\/${element}){0,20})`;
const version = '(v[0-9][A-Za-z0-9!.+-]{0,120})';

export const go: Ecosystem = {
  name: 'go',
  publicRegistry: 'https://proxy.golang.org/',
  redirectsTo: ['https://storage.googleapis.com'],
  offered: true,
  routes: [
    {
      name: 'file',
      pattern: new RegExp(`^\\/${module}\\/@v\\/${version}\\.(info|mod|zip)$`),
      resource: ([path, number, kind]) => ({ path: `${path}/@v/${number}.${kind}` }),
      keep: 'forever',
      maxBytes: maxSizes.archive,
      contentType: 'application/octet-stream',
      match: ['/github.com/!burnt!sushi/toml/@v/v1.4.0.zip', '/golang.org/x/mod/@v/v0.20.0.mod'],
      notMatch: [
        '/github.com/../x/@v/v1.0.0.zip',
        '/a/@v/v1.0.0.exe',
        '/@v/v1.0.0.zip',
        '/a/%2e%2e/@v/v1.zip',
      ],
    },
    {
      name: 'versions',
      pattern: new RegExp(`^\\/${module}\\/(@v\\/list|@latest)$`),
      resource: ([path, what]) => ({ path: `${path}/${what}` }),
      keep: 'revalidate',
      maxBytes: maxSizes.page,
      contentType: 'text/plain; charset=utf-8',
      match: ['/golang.org/x/mod/@v/list', '/golang.org/x/mod/@latest'],
      notMatch: ['/golang.org/x/mod', '/sumdb/sum.golang.org/supported', '/golang.org/x/mod/@v/list?x=1'],
    },
  ],
};
