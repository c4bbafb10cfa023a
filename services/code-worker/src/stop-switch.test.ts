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
