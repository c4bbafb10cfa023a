import { expect, test } from 'vitest';
import { findOwners } from './code-owners.ts';

const file = `
# The whole repository
*            @ada
/docs/       @acme/writers docs@example.com   # e-mail addresses cannot review
*.sql        @grace @ada
apps/legacy
!src         @nobody
`;

test.each([
  [['src/a.ts'], ['ada']],
  [['docs/a.md'], ['acme/writers']],
  [['x/docs/a.md'], ['ada']],
  [
    ['db/a.sql', 'docs/b.md'],
    ['grace', 'ada', 'acme/writers'],
  ],
  [['apps/legacy/a.ts'], []],
  [[], []],
])('%j is owned by %j', (paths, owners) => {
  expect(findOwners(file, paths)).toEqual(owners);
});

test('an empty file names nobody', () => expect(findOwners('', ['a.ts'])).toEqual([]));
