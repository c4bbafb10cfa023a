import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTerminal } from './terminal.ts';

test('the status line shows the duration of this status, not of the command', async () => {
  let written = '';
  const write = (text: string) => {
    written = text;
    return true;
  };
  const terminal = openTerminal({ write, isTTY: true, columns: 80 } as never, { color: false });
  terminal.setStatus('turn 1: the model is thinking');
  await sleep(350);
  expect(written).toMatch(/thinking {2}[2-9]\d\d ms$/);
  terminal.setStatus('turn 2: the model is thinking');
  expect(written).toMatch(/turn 2: the model is thinking {2}\d ms$/);
  terminal.setStatus(undefined);
});
