import { expect, test } from 'vitest';
import { serialize } from './serialize.ts';

test('work with one key runs in sequence, and an abort ends the wait', async () => {
  const hanging = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = serialize('a', async () => {
    await hanging.promise;
    done.push('first');
  });
  const stop = new AbortController();
  const stopped = serialize('a', async () => void done.push('stopped'), stop.signal);
  const last = serialize('a', async () => void done.push('last'));
  const other = serialize('b', async () => void done.push('other'));
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  await other;
  expect(done).toEqual(['other']);
  hanging.resolve();
  await Promise.all([first, last]);
  expect(done).toEqual(['other', 'first', 'last']);
  await expect(serialize('a', async () => {}, stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
});
