import { expect, test } from 'vitest';
import { createKnownWorkers } from './known-workers.ts';

const report = (name: string, ...problems: string[]) => ({ name, problems, concurrency: 4, running: 0 });

test('no worker works if each has a problem, and a silent one is forgotten', () => {
  let now = 0;
  const workers = createKnownWorkers(() => now);
  expect(workers.whyNoneWorks()).toBeUndefined();
  workers.note(report('worker-b', 'gitleaks is missing'));
  workers.note(report('worker-a'));
  expect(workers.whyNoneWorks()).toBeUndefined();
  expect(workers.listProblems()).toEqual(['worker-b cannot work: gitleaks is missing']);
  expect(workers.list()).toEqual([
    { ...report('worker-a'), canWork: true, seenAt: '1970-01-01T00:00:00.000Z' },
    { ...report('worker-b', 'gitleaks is missing'), canWork: false, seenAt: '1970-01-01T00:00:00.000Z' },
  ]);
  now = 15_000;
  workers.note(report('worker-b', 'one', 'two'));
  now = 25_000;
  expect(workers.whyNoneWorks()).toBe('worker-b cannot work: one; two');
  now = 50_000;
  expect(workers.list()).toEqual([]);
  expect(workers.whyNoneWorks()).toBe('none has reported to the api');
});

test('the number of remembered workers is bounded', () => {
  const workers = createKnownWorkers(() => 0);
  for (let n = 0; n < 1_100; n += 1) workers.note(report(`worker-${n}`));
  expect(workers.list()).toHaveLength(1_000);
});
