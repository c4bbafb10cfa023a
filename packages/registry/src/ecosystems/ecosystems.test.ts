import { describe, expect, test } from 'vitest';
import { ecosystems } from './ecosystems.ts';
import { findResource } from './find-resource.ts';
import { npm } from './npm.ts';

const find = (ecosystem: (typeof ecosystems)[number], path: string) => {
  const found = findResource(ecosystem, { path, accept: '' });
  return found.ok ? { route: found.route.name, path: found.resource.path } : undefined;
};

describe.each(ecosystems)('$name', (ecosystem) => {
  describe.each(ecosystem.routes)('$name', (route) => {
    test.each(route.match)('accepts %s', (path) => {
      expect(find(ecosystem, path)?.route).toBe(route.name);
    });
    test.each(route.notMatch)('refuses %s', (path) => {
      expect(find(ecosystem, path)).toBeUndefined();
    });
  });
});

test('different spellings of a path lead to the same address', () => {
  expect(find(npm, '/@types%2Fnode')).toEqual({ route: 'packument', path: '@types%2fnode' });
  expect(find(npm, '/@types/node')).toEqual({ route: 'packument', path: '@types%2fnode' });
  expect(find(npm, '/%6ceft-pad')).toEqual({ route: 'packument', path: 'left-pad' });
  expect(find(npm, '/a/-/a-1.0.0+5.tgz')).toEqual({ route: 'tarball', path: 'a/-/a-1.0.0%2B5.tgz' });
});
