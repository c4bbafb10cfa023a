/** docs/policy.md is where users look up a denial: every rule must be listed there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentRules } from './content/content-rule.ts';
import { pathRules } from './paths/path-rules.ts';

test('every rule is on the page', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/policy.md'), 'utf8');
  const rules = [...pathRules.map(({ rule }) => rule), ...Object.keys(contentRules), 'outside', 'not-a-path'];
  expect(rules.filter((rule) => !page.includes(`\`${rule}\``))).toEqual([]);
});
