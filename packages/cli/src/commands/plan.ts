import type { PlanDecision, PlanStatus } from '@fettle/contract';
import { type ExitCode, exitCodes, usageError } from '../cli-error.ts';
import { fettleCommand } from '../process/fettle-command.ts';
import { look } from '../server/with-server.ts';
import { describePlanStatus } from '../view/describe-plan.ts';
import { copyable } from '../view/line.ts';
import { printJson } from '../view/print-json.ts';
import { openTerminal } from '../view/terminal.ts';

export interface PlanOptions {
  approve?: boolean;
  change?: string;
  cancel?: boolean;
  of?: string;
  json?: boolean;
  color: boolean;
}

/** Shows the plan, or decides about it. */
export async function plan(id: string, options: PlanOptions): Promise<ExitCode> {
  const wish = readWish(options);
  return look(async ({ client, config }) => {
    const status = await client.plan(id);
    const operation = wish && (await client.decide(id, { version: status.version, ...wish }));
    if (options.json) {
      printJson(operation ?? status);
      return exitCodes.done;
    }
    if (operation) {
      const { state, waitsFor } = operation;
      process.stdout.write(`${id} is ${state}${waitsFor === null ? '' : `: waits for ${waitsFor}`}\n`);
      return exitCodes.done;
    }
    const terminal = openTerminal(process.stdout, { color: options.color });
    terminal.print(describePlanStatus(status, terminal.width()));
    if (status.decision === null)
      terminal.print(listDecisions(`${fettleCommand(config)} plan ${id}`, status));
    return exitCodes.done;
  });
}

function listDecisions(command: string, { version }: PlanStatus) {
  const words = ['--approve', '--change "…"', '--cancel'];
  return [[], ...words.map((word) => ['  ', copyable(`${command} ${word} --of ${version}`)])];
}

type Wish = Pick<PlanDecision, 'decision' | 'message'> & Partial<Pick<PlanDecision, 'version'>>;

function readWish({ approve, change, cancel, of }: PlanOptions): Wish | undefined {
  const wishes: Wish[] = [
    ...(approve ? [{ decision: 'approve' as const }] : []),
    ...(change === undefined ? [] : [{ decision: 'change' as const, message: change }]),
    ...(cancel ? [{ decision: 'cancel' as const }] : []),
  ];
  if (wishes.length > 1)
    throw usageError('--approve, --change and --cancel are one decision each: give one.');
  const [wish] = wishes;
  if (of === undefined || !wish) return wish;
  if (!/^[1-9]\d{0,5}$/.test(of)) throw usageError(`--of takes the version of a plan, not '${of}'.`);
  return { ...wish, version: Number(of) };
}
