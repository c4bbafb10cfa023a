import { describe, expect, test } from 'vitest';
import { createStateAges } from './state-ages.ts';

const hour = 3_600_000;

/** A process whose wall clock can be set. Otherwise both clocks advance together. */
function createScene() {
  let steady = 5_000;
  let wall = Date.parse('2026-01-01T12:00:00Z');
  const ages = createStateAges(
    () => steady,
    () => wall,
  );
  return {
    enter: (state: string) => ({ id: 'op_1', state, stateSince: new Date(wall) }),
    ago: (ms: number) => ({ id: 'op_1', state: 'queued', stateSince: new Date(wall - ms) }),
    wait(ms: number) {
      steady += ms;
      wall += ms;
    },
    setClock(byMs: number) {
      wall += byMs;
    },
    seconds: (stay: { id: string; state: string; stateSince: Date }) => ages.update([stay])[0]?.seconds,
    ages,
  };
}

test('an operation that exists at the start is as old as its row says, and ages with time', () => {
  const scene = createScene();
  const stay = scene.ago(2 * hour);
  expect(scene.seconds(stay)).toBe(7_200);
  scene.wait(60_000);
  expect(scene.seconds(stay)).toBe(7_260);
});

describe.each([3 * hour, -3 * hour])('setting the clock by %i ms does not age an operation', (byMs) => {
  test('that was seen before', () => {
    const scene = createScene();
    const stay = scene.enter('preparing');
    scene.wait(1_000);
    expect(scene.seconds(stay)).toBe(1);
    scene.setClock(byMs);
    scene.wait(1_000);
    expect(scene.seconds(stay)).toBe(2);
  });

  test('that entered its state just before', () => {
    const scene = createScene();
    scene.ages.update([]);
    scene.wait(30_000);
    const stay = scene.enter('preparing');
    scene.wait(10_000);
    scene.setClock(byMs);
    expect(scene.seconds(stay)).toBe(byMs > 0 ? 10 : 0);
  });

  test('that entered its state after it', () => {
    const scene = createScene();
    scene.setClock(byMs);
    scene.ages.update([]);
    scene.wait(30_000);
    const stay = scene.enter('preparing');
    scene.wait(10_000);
    // Younger than it is, by one update at most.
    expect(scene.seconds(stay)).toBe(byMs > 0 ? 0 : 10);
    scene.wait(10_000);
    expect(scene.seconds(stay)).toBe(byMs > 0 ? 10 : 20);
  });

  test('that the first update sees', () => {
    const scene = createScene();
    const early = scene.enter('queued');
    scene.wait(1_000);
    scene.setClock(byMs);
    const late = { ...scene.enter('queued'), id: 'op_2' };
    scene.wait(1_000);
    const seconds = scene.ages.update([early, late]).map((each) => each.seconds);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(2);
  });
});

test('a new state starts a new stay', () => {
  const scene = createScene();
  const first = scene.enter('preparing');
  scene.wait(50_000);
  expect(scene.seconds(first)).toBe(50);
  const second = scene.enter('acting');
  scene.wait(5_000);
  expect(scene.seconds(second)).toBe(5);
});
