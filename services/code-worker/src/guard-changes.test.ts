import { createPathJudge } from '@fettle/policy';
import { expect, test } from 'vitest';
import { createChangeGuard, listProtected } from './guard-changes.ts';

const judge = createPathJudge(['infra/prod.tf', 'keys']);
const files = ['infra/prod.tf', 'infra/readme.md', 'keys', 'src/a.ts'];
const guard = createChangeGuard(judge, listProtected(judge, files));

test.each([
  ['infra/prod.tf', /protects it/],
  ['infra', /would take infra\/prod.tf away/],
  ['Infra', /would take infra\/prod.tf away/],
  ['keys/new', /would take keys away/],
  ['.gitmodules', /submodules/],
  ['sub/.gitmodules', /submodules/],
  ['a/../b', /not allowed/],
])('%s is not for a change', (path, reason) => {
  expect(guard(path)).toMatch(reason);
});

test('all else is', () => {
  for (const path of ['infra/readme.md', 'infra2', 'src', 'src/a.ts/b', 'keys2', 'docs/infra'])
    expect(guard(path)).toBeUndefined();
});
