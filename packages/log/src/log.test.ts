import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test('properties of errors are not logged', () => {
  const error = Object.assign(new Error('MISCONF: cannot write', { cause: new Error('ENOSPC') }), {
    command: { name: 'eval', args: ['the content of a file'] },
    code: 'E1',
  });
  const described = describeError(error);
  expect(described).toMatchObject({ type: 'Error', code: 'E1', cause: { message: 'ENOSPC' } });
  expect(JSON.stringify(described)).not.toContain('the content of a file');
  expect(describeError('just a text')).toEqual({ message: 'just a text' });
});

test('long texts are truncated', () => {
  expect(String(describeError(new Error('x'.repeat(100_000))).message)).toHaveLength(4_000);
});
