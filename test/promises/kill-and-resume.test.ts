/** `kill -9` of the worker at representative crash points; test/faults/kill-worker.test.ts covers all others. */
import { test } from 'vitest';
import { expectPullRequests, representativePoints, testKills } from '../faults/support/kill-worker.ts';

testKills(representativePoints);

test('there is one pull request for each operation', () =>
  expectPullRequests(representativePoints.length + 1));
