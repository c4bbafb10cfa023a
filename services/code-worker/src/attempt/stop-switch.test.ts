import { expect, test } from 'vitest';
import { createStopSwitch } from './stop-switch.ts';

test('a pause that is taken back does not keep a worker that stops', () => {
  const stopSwitch = createStopSwitch();
  stopSwitch.askToYield('worker_stopped');
  stopSwitch.askToYield('paused');
  stopSwitch.goOn();
  expect(stopSwitch.yielding()).toMatchObject({ cause: 'worker_stopped' });
  stopSwitch.close();
});

test('a worker that stops while it pauses an operation does both', () => {
  const stopSwitch = createStopSwitch();
  stopSwitch.askToYield('paused');
  stopSwitch.askToYield('worker_stopped');
  stopSwitch.goOn();
  expect(stopSwitch.yielding()).toMatchObject({ cause: 'worker_stopped' });
  stopSwitch.close();
});

test('insists when it takes too long, and not on a pause that was taken back', async () => {
  const patient = createStopSwitch({ yieldMs: 20 });
  patient.askToYield('paused');
  patient.goOn();
  const insisting = createStopSwitch({ yieldMs: 20 });
  insisting.askToYield('paused');
  await new Promise((resolve) => insisting.signal.addEventListener('abort', resolve));
  expect(insisting.signal.reason).toMatchObject({ cause: 'paused' });
  expect(patient.signal.aborted).toBe(false);
  expect(patient.yielding()).toBeUndefined();
});

test('does not wait while nothing is under way, whether that or the asking comes first', () => {
  const [restsFirst, restsThen, hasRested] = [createStopSwitch(), createStopSwitch(), createStopSwitch()];
  restsFirst.rest(60_000);
  expect(restsFirst.signal.aborted).toBe(false);
  restsFirst.askToYield('worker_stopped');
  expect(restsFirst.signal.reason).toMatchObject({ cause: 'worker_stopped' });
  restsThen.askToYield('paused');
  expect(restsThen.signal.aborted).toBe(false);
  restsThen.rest(60_000);
  expect(restsThen.signal.reason).toMatchObject({ cause: 'paused' });
  hasRested.rest(0);
  hasRested.askToYield('paused');
  expect(hasRested.signal.aborted).toBe(false);
  for (const each of [restsFirst, restsThen, hasRested]) each.close();
});
