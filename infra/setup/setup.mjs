/**
 * `node infra/setup/setup.mjs [program args…]` sets up a fresh clone, then runs the program. Plain JavaScript without
 * dependencies, because it runs on any Node from version 20, before anything is installed.
 */
import { dependencies } from './dependencies.mjs';
import { gitleaks } from './gitleaks.mjs';
import { handOver } from './hand-over.mjs';
import { withLock } from './lock.mjs';
import { assertWritable, checkMachine } from './machine.mjs';
import { prismaClient } from './prisma-client.mjs';
import { reportFailure, runStep } from './progress.mjs';
import { redisServer } from './redis-server.mjs';

// In this order: each step may use the result of the previous ones.
const ofClone = [dependencies, prismaClient];
const steps = [...ofClone, redisServer, gitleaks];

try {
  checkMachine();
  if (ofClone.some((step) => step.isNeeded())) assertWritable();
  if (steps.some((step) => step.isNeeded())) {
    await withLock(async () => {
      // Checked again under the lock: another set-up may have done the work in the meantime.
      for (const step of steps) if (step.isNeeded()) await runStep(step);
    });
  }
  const [program, ...args] = process.argv.slice(2);
  if (program) await handOver(program, args);
} catch (error) {
  process.exitCode = reportFailure(error);
}
