/** The simple index as JSON (PEP 691). Files come from the host in the public index. */
import { type Ecosystem, maxSizes } from './ecosystem.ts';

const simpleJson = 'application/vnd.pypi.simple.v1+json';

export const pypi: Ecosystem = {
  name: 'pypi',
  publicRegistry: 'https://pypi.org/',
  publicFiles: 'https://files.pythonhosted.org/',
  redirectsTo: [],
  offered: true,
  routes: [
    {
      name: 'project',
      pattern: /^\/simple\/([A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)\/$/,
      resource: ([name = '']) => ({
        path: `simple/${name.toLowerCase().replace(/[._-]+/g, '-')}/`,
        accept: simpleJson,
        name,
      }),
      keep: 'revalidate',
      maxBytes: maxSizes.index,
      contentType: simpleJson,
      rewrite: {
        pattern: /"url"\s*:\s*"[^"\s{}]{1,500}?\/packages\/([^"\s{}]{1,500})"/g,
        replace: ([file], place) => `"url":"${place.base}packages/${file}"`,
      },
      match: ['/simple/requests/', '/simple/ruamel.yaml/'],
      notMatch: ['/simple/', '/simple/../x/', '/legacy/', '/pypi/requests/json', '/simple/requests'],
    },
    {
      name: 'file',
      pattern: /^\/packages\/((?:[0-9a-z]{1,64}\/){1,4})([A-Za-z0-9][A-Za-z0-9._+!-]{0,250})$/,
      resource: ([folder, file]) => ({ path: `packages/${folder}${file}` }),
      fromFiles: true,
      keep: 'forever',
      maxBytes: maxSizes.archive,
      contentType: 'application/octet-stream',
      match: ['/packages/ab/cd/0123456789abcdef/requests-2.32.0-py3-none-any.whl'],
      notMatch: ['/packages/requests.whl', '/packages/ab/../requests.whl', '/packages/ab/cd/ef/x.whl?y'],
    },
  ],
};
