import { expect, test } from 'vitest';
import { createStopSwitch } from './stop-switch.ts';

test.each([
  ['worker_stopped', 'paused'],
  ['paused', 'worker_stopped'],
] as const)('after %s and %s, resuming does not cancel the shutdown', (first, second) => {
  const stopSwitch = createStopSwitch();
  stopSwitch.askToYield(first);
  stopSwitch.askToYield(second);
  stopSwitch.resume();
  expect(stopSwitch.yielding()).toMatchObject({ cause: 'worker_stopped' });
  stopSwitch.close();
});

test('aborts after the grace period, unless the pause was taken back', async () => {
  const resumed = createStopSwitch({ yieldMs: 20 });
  resumed.askToYield('paused');
  resumed.resume();
  const paused = createStopSwitch({ yieldMs: 20 });
  paused.askToYield('paused');
  await new Promise((resolve) => paused.signal.addEventListener('abort', resolve));
  expect(paused.signal.reason).toMatchObject({ cause: 'paused' });
  expect(resumed.signal.aborted).toBe(false);
  expect(resumed.yielding()).toBeUndefined();
});

test('aborts an idle attempt at once, whichever comes first', () => {
  const [idleFirst, askedFirst, idleBefore] = [createStopSwitch(), createStopSwitch(), createStopSwitch()];
  idleFirst.idleFor(60_000);
  expect(idleFirst.signal.aborted).toBe(false);
  idleFirst.askToYield('worker_stopped');
  expect(idleFirst.signal.reason).toMatchObject({ cause: 'worker_stopped' });
  askedFirst.askToYield('paused');
  expect(askedFirst.signal.aborted).toBe(false);
  askedFirst.idleFor(60_000);
  expect(askedFirst.signal.reason).toMatchObject({ cause: 'paused' });
  idleBefore.idleFor(0);
  idleBefore.askToYield('paused');
  expect(idleBefore.signal.aborted).toBe(false);
  for (const each of [idleFirst, askedFirst, idleBefore]) each.close();
});
