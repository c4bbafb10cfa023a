import { expect, test } from 'vitest';
import { explainStartFailure } from './start-failure.ts';

test.each([
  '# Bad file format reading the append only file appendonly.aof.1.incr.aof: make a backup of your AOF file',
  "# Unknown command 'XQZ' reading the append only file appendonly.aof.1.incr.aof",
])('%s is reported as damage', (log) => {
  const { message } = explainStartFailure(new Error('exited'), '/data', log);
  expect(message).toContain('damaged');
});
