import { type Ecosystem, maxSizes } from './ecosystem.ts';

const part = '[A-Za-z0-9_][A-Za-z0-9._~-]{0,213}';
const name = `(@${part}\\/${part}|${part})`;
const abbreviated = 'application/vnd.npm.install-v1+json';

export const npm: Ecosystem = {
  name: 'npm',
  publicRegistry: 'https://registry.npmjs.org/',
  redirectsTo: [],
  offered: true,
  routes: [
    {
      name: 'packument',
      pattern: new RegExp(`^\\/${name}$`),
      resource: ([packageName = ''], accept) => ({
        path: encodeName(packageName),
        accept: accept.includes(abbreviated) ? `${abbreviated}, application/json;q=0.8` : 'application/json',
        name: packageName,
      }),
      keep: 'revalidate',
      maxBytes: maxSizes.index,
      contentType: 'application/json',
      // A quote inside a JSON string is escaped, so text that mentions tarballs does not match.
      rewrite: {
        pattern: /"tarball"\s*:\s*"[^"\s{}]{1,1500}\/-\/([^"\s{}/]{1,250}\.tgz)"/g,
        replace: ([file], place) => `"tarball":"${place.base}${place.name}/-/${file}"`,
      },
      match: [
        '/left-pad',
        '/@types%2fnode',
        '/@types%2Fnode',
        '/@types/node',
        '/JSONStream',
        '/lodash.merge',
      ],
      notMatch: [
        '/',
        '/-/user/org.couchdb.user:me',
        '/-/npm/v1/security/advisories/bulk',
        '/-/whoami',
        '/-/all',
        '/-/v1/search?text=x',
        '/left-pad/latest',
        '/left-pad?write=true',
        '/left-pad#x',
        '/..',
        '/.git',
        '/a%2f..%2fb',
        '/%2e%2e',
        '/left%00pad',
        '/left%0d%0aX:1',
        '/@types%252fnode',
        '/left-pad/',
        '//left-pad',
        '/a%2fb',
      ],
    },
    {
      name: 'tarball',
      pattern: new RegExp(`^\\/${name}\\/-\\/([A-Za-z0-9_@][A-Za-z0-9._~+@-]{0,245}\\.tgz)$`),
      resource: ([packageName = '', file = '']) => ({
        path: `${packageName}/-/${encodeURIComponent(file).replace('%40', '@')}`,
      }),
      keep: 'forever',
      maxBytes: maxSizes.archive,
      contentType: 'application/octet-stream',
      match: [
        '/left-pad/-/left-pad-1.3.0.tgz',
        '/@types/node/-/node-24.0.0.tgz',
        '/@types%2fnode/-/node-24.0.0.tgz',
        '/a/-/a-1.0.0+build.5.tgz',
      ],
      notMatch: [
        '/left-pad/-/../../secret.tgz',
        '/left-pad/-/left-pad-1.3.0.tgz/-rev/5',
        '/left-pad/-rev/5',
        '/left-pad/-/a%2f..%2fb.tgz',
        '/left-pad/-/.tgz',
        '/left-pad/-/left-pad-1.3.0.zip',
        '/left-pad/-/x.tgz?a=b',
      ],
    },
  ],
};

function encodeName(packageName: string): string {
  return packageName.replace('/', '%2f');
}
