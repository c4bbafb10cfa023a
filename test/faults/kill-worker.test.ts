/** SIGKILL of the worker at every crash point; test/promises covers the representative ones. */
import { test } from 'vitest';
import { expectMarchFinished, expectPullRequests, otherPoints, testKills } from './support/kill-worker.ts';

testKills(otherPoints);

test('an operation whose worker dies after every part ends like an undisturbed one', expectMarchFinished);

test('there is one pull request for each operation', () => expectPullRequests(otherPoints.length + 2));
