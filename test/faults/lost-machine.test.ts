/** The machine of a worker is gone, with its mirror: a worker on another machine resumes from the last part. */
import { testKills } from './support/kill-worker.ts';

testKills(
  [
    ...['claimed', 'answered:2', 'answer-recorded:3', 'tool-ran:7', 'part-finished:7', 'checkpointed:2'],
    ...[
      'checkpoint-stored:2',
      'verified:1',
      'commit-recorded',
      'after-push',
      'after-pull-request',
      'before-settle',
    ],
  ],
  { losesMachine: true },
);
