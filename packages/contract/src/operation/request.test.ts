import { expect, test } from 'vitest';
import { describeIssue } from '../errors.ts';
import { requestSchema } from './request.ts';

const plain = { kind: 'fix', description: 'the login page crashes', repository: '/srv/shop' };

test('omitted fields get their defaults', () => {
  expect(requestSchema.parse(plain)).toEqual({
    ...plain,
    targetFiles: [],
    priority: 'medium',
    approvalRequired: true,
  });
});

test.each([
  [{ ...plain, kind: 'destroy' }, 'kind'],
  [{ ...plain, description: '   ' }, 'description'],
  [{ ...plain, description: 'x'.repeat(20_001) }, 'description'],
  [{ ...plain, repository: 'a\nb' }, 'repository'],
  [{ ...plain, targetFiles: ['ok', ''] }, 'targetFiles.1'],
  [{ ...plain, targetFiles: ['src/../../x'] }, 'targetFiles.0'],
  [{ ...plain, targetFiles: ['/etc/passwd'] }, 'targetFiles.0'],
  [{ ...plain, errorContext: { trace: 'x' } }, 'errorContext.trace'],
  [{ ...plain, descripton: 'x' }, 'descripton'],
  [{ ...plain, budgets: { turns: 0 } }, 'budgets.turns'],
  [{ ...plain, ticket: '../x' }, 'ticket'],
])('%o is rejected, and the error names the field', (input, field) => {
  const parsed = requestSchema.safeParse(input);
  expect(parsed.success).toBe(false);
  if (!parsed.success) expect(describeIssue(parsed.error).field).toBe(field);
});
