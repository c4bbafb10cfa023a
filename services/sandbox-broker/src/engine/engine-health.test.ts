import type { RequestListener } from 'node:http';
import { expect, test, vi } from 'vitest';
import { startHttpEngine } from '../testing/start-http-engine.ts';
import { createEngineHealth } from './engine-health.ts';

const answerWith =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test.each<[string, RequestListener, string | undefined]>([
  ['has the image', answerWith(200, { Id: 'x' }), undefined],
  ['lacks the image', answerWith(404, { message: 'No such image' }), 'the engine does not have the image it'],
  ['fails', answerWith(500, { message: 'broken' }), 'the engine does not answer'],
  ['hangs', () => {}, 'the engine does not answer'],
])('an engine that %s', async (_what, answer, problem) => {
  const findProblem = createEngineHealth({ engine: await startHttpEngine(answer), image: 'it' });
  expect(await findProblem()).toBe(problem);
});

test('many questions at once are one request to the engine', async () => {
  const answer = vi.fn(answerWith(200, { Id: 'x' }));
  const findProblem = createEngineHealth({ engine: await startHttpEngine(answer), image: 'it' });
  await Promise.all(Array.from({ length: 50 }, findProblem));
  expect(answer).toHaveBeenCalledTimes(1);
});
