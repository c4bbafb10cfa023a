import { expect, test } from 'vitest';
import { redactLine } from './redact-line.ts';

const redact = (text: string) => text.replaceAll(/hunter2|"pin":"\d+"/g, '[masked]');
const redactData = (data: unknown) => JSON.parse(redactLine(`${JSON.stringify(data)}\n`, redact));

test('a redacted line stays valid JSON', () => {
  expect(redactLine('{"a":1}\n', redact)).toBe('{"a":1}\n');
  expect(redactData({ err: { message: 'no "hunter2"', stack: ['hunter2', 1, null] } })).toEqual({
    err: { message: 'no "[masked]"', stack: ['[masked]', 1, null] },
  });
  // Only the name makes the value a secret.
  expect(redactData({ pin: '1234' })).toEqual({ msg: '{[masked]}' });
  expect(redactLine('no JSON, hunter2\n', redact)).toBe('{"msg":"no JSON, [masked]"}\n');
});
