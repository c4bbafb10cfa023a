import { expect, it } from 'vitest';
import { createIgnoreRules } from './ignore-rules.ts';

const rules = createIgnoreRules([
  { path: '.gitignore', content: '*.log\nbuild/\n/only-top\n!keep.log\n' },
  { path: 'sub dir/.gitignore', content: '!special.log\nlocal\n/anchored\n# note\n' },
]);

it('applies nested files to their folder, the deeper one first', () => {
  const covered = [
    ...['a.log', 'x/a.log', 'build/x', 'x/build/y', 'only-top'],
    ...['sub dir/a.log', 'sub dir/x/local', 'sub dir/anchored'],
  ];
  const free = [
    ...['keep.log', 'x/only-top', 'local', 'A.LOG', 'builds/x'],
    ...['sub dir/special.log', 'sub dir/x/anchored'],
  ];
  expect([...covered, ...free].filter(rules.covers)).toEqual(covered);
});

it('merges the rules into one file for the root', () => {
  expect(rules.asRootFile()).toBe(
    '*.log\nbuild/\n/only-top\n!keep.log\n\n!/sub\\ dir/**/special.log\n/sub\\ dir/**/local\n/sub\\ dir/anchored',
  );
});
