// `node infra/setup/setup.mjs [program args…]`: brings a fresh clone to the point where the program
// runs, then becomes that program. Plain JavaScript without dependencies, because it runs on whatever
// Node (20 or newer) the machine has, before anything is installed.
import { dependencies } from './dependencies.mjs';
import { gitleaks } from './gitleaks.mjs';
import { handOver } from './hand-over.mjs';
import { withLock } from './lock.mjs';
import { checkMachine } from './machine.mjs';
import { prismaClient } from './prisma-client.mjs';
import { reportFailure, runStep } from './progress.mjs';
import { redisServer } from './redis-server.mjs';

// In this order: each step may use what the one before it brought.
const steps = [dependencies, prismaClient, redisServer, gitleaks];

try {
  checkMachine();
  if (steps.some((step) => step.isNeeded())) {
    await withLock(async () => {
      // Asked again under the lock: another set-up may have done the work while this one waited.
      for (const step of steps) if (step.isNeeded()) await runStep(step);
    });
  }
  const [program, ...args] = process.argv.slice(2);
  if (program) await handOver(program, args);
} catch (error) {
  process.exitCode = reportFailure(error);
}
