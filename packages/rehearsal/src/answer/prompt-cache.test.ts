import { expect, test } from 'vitest';
import { type CountRequest, countSchema } from '../request/request.ts';
import { createPromptCache } from './prompt-cache.ts';

const mark = { cache_control: { type: 'ephemeral' } };

function request(system: object, ...content: object[]): CountRequest {
  const blocks = content.map((extra, index) => ({ type: 'text', text: `part ${index}`, ...extra }));
  return countSchema.parse({
    model: 'm',
    system: [{ type: 'text', text: 'You mend code.', ...system }],
    messages: [{ role: 'user', content: blocks }],
  });
}

test('without marks, nothing is cached', () => {
  const cache = createPromptCache();
  const usage = cache.use(request({}, {}));
  expect(usage).toEqual({ fresh: usage.fresh, read: 0, written5m: 0, written1h: 0 });
  expect(cache.use(request({}, {}))).toEqual(usage);
});

test('a mark that moved reads what the previous one wrote, and writes the rest', () => {
  const cache = createPromptCache();
  const first = cache.use(request({}, mark, {}));
  expect(first).toMatchObject({ read: 0, written5m: expect.any(Number) });
  const second = cache.use(request({}, {}, {}, mark));
  expect(second).toMatchObject({ read: first.written5m, fresh: 0 });
  expect(second.written5m).toBeGreaterThan(0);
});

test('a change in the prefix invalidates the cache', () => {
  const cache = createPromptCache();
  cache.use(request({}, mark));
  expect(cache.use(request({ text: 'You break code.' }, mark)).read).toBe(0);
});

test('a mark more than twenty blocks later misses the cache', () => {
  const cache = createPromptCache();
  cache.use(request({}, mark));
  const between = (count: number) => request({}, ...Array(count).fill({}), mark);
  expect(cache.use(between(21)).read).toBe(0);
  expect(cache.use(between(19)).read).toBeGreaterThan(0);
});

test('blocks before a one-hour mark are cached for an hour', () => {
  const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const usage = createPromptCache().use(request(hour, mark));
  expect([usage.written1h > 0, usage.written5m > 0]).toEqual([true, true]);
});
