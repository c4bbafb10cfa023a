import { createPathJudge } from '@fettle/policy';
import { expect, test } from 'vitest';
import { createChangeGuard, listProtected } from './guard-changes.ts';

const judge = createPathJudge(['infra/prod.tf', 'keys']);
const files = ['infra/prod.tf', 'infra/readme.md', 'keys', 'src/a.ts'];
const guard = createChangeGuard(judge, listProtected(judge, { files, submodules: ['vendor/lib'] }));

test.each([
  ['infra/prod.tf', /protects it/],
  ['infra', /would take infra\/prod.tf away/],
  ['Infra', /would take infra\/prod.tf away/],
  ['keys/new', /protects it/],
  ['.gitmodules', /submodules/],
  ['sub/.gitmodules', /submodules/],
  ['.gitmodules/file', /submodules/],
  ['vendor', /would take vendor\/lib away/],
  ['vendor/lib', /would take vendor\/lib away/],
  ['vendor/lib/file', /would take vendor\/lib away/],
  ['a/../b', /not allowed/],
])('%s is not for a change', (path, reason) => {
  expect(guard(path)).toMatch(reason);
});

test('all else is', () => {
  for (const path of ['infra/readme.md', 'infra2', 'src', 'src/a.ts/b', 'keys2', 'docs/infra', 'vendor/lib2'])
    expect(guard(path)).toBeUndefined();
});
