/** Receives, fetches and runs GitHub's events, and keeps its comments up to date. */
import { createFailureNote } from '@fettle/log';
import type { Dependencies } from '../dependencies.ts';
import { within } from '../within.ts';
import type { EventContext, EventGithub, EventRules } from './context.ts';
import { startPolling } from './deliveries/poll-deliveries.ts';
import { runDeliveries } from './deliveries/run-deliveries.ts';
import { classifyFailure } from './failures.ts';
import { postReplies } from './progress/post-replies.ts';
import { showProgress } from './progress/show-progress.ts';
import { answerFeedback } from './steering/answer-feedback.ts';
import { startRevisions } from './steering/start-revisions.ts';

export interface GithubEventsOptions {
  dependencies: Dependencies;
  github: EventGithub;
  rules: EventRules;
  organizationId: string;
  redisUrl: string;
  pollSeconds: number;
}

/** How often to look for comments to write and revisions to start. */
const everyMs = 1_000;

export function startGithubEvents({ redisUrl, pollSeconds, ...context }: GithubEventsOptions) {
  const { dependencies, github } = context;
  const { database, redis, log } = dependencies;
  const runner = runDeliveries({ database, redis, redisUrl, log, run: (effect) => effect.run(context) });
  const { app } = github;
  const polling = app && startPolling({ database, app, log, wake: runner.wake, everyMs: pollSeconds * 1000 });
  const loops = [startRevisions, answerFeedback, postReplies, showProgress].map((work) =>
    startLoop(context, work),
  );
  return {
    runner,
    async stop(): Promise<void> {
      await Promise.all(loops.map((loop) => loop.stop()));
      await polling?.stop();
      await runner.stop();
    },
  };
}

/** Repeats work that finds what is due in the database. One run at a time. */
function startLoop(context: EventContext, work: (context: EventContext) => Promise<void>) {
  const note = createFailureNote(context.dependencies.log, `GitHub: ${work.name} failed; it will be retried`);
  let running: Promise<void> | undefined;
  let pausedUntil = 0;
  let stopped = false;

  async function run(): Promise<void> {
    try {
      await work(context);
      note.recovered();
    } catch (error) {
      if (stopped) return;
      const failure = classifyFailure(error);
      pausedUntil = performance.now() + ((failure.passes && failure.afterMs) || 5 * everyMs);
      note.failed(error);
    }
  }
  const timer = setInterval(() => {
    if (performance.now() < pausedUntil) return;
    running ??= run().finally(() => {
      running = undefined;
    });
  }, everyMs);
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await within(5_000, Promise.resolve(running));
    },
  };
}
