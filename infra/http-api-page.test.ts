// docs/http-api.md is the short way in: a field that a request may have is there by its name.
import { readFileSync } from 'node:fs';
import { budgetsSchema, requestSchema } from '@fettle/contract';
import { expect, test } from 'vitest';

test('every field of a request, and every budget, is on its page', () => {
  const page = readFileSync(new URL('../docs/http-api.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const fields = rows.map((row) => row.match(/^\| `(\w+)`/)?.[1]);
  expect(fields).toEqual(expect.arrayContaining(Object.keys(requestSchema.shape)));
  const budgets = rows.find((row) => row.startsWith('| `budgets`'));
  for (const name of Object.keys(budgetsSchema.shape)) expect(budgets).toContain(`\`${name}\``);
});
