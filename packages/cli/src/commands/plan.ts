import type { PlanDecision, PlanStatus } from '@fettle/contract';
import { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import { idArgument, resolveId } from '../server/resolve-id.ts';
import { describePlanStatus } from '../view/describe-plan.ts';
import { describeState } from '../view/describe-state.ts';
import { copyable, type Line } from '../view/line.ts';
import { printJson } from '../view/print-json.ts';
import { openTerminal } from '../view/terminal.ts';

interface PlanOptions {
  approve?: boolean;
  change?: string;
  cancel?: boolean;
  of?: string;
  json?: boolean;
  color: boolean;
}

export function planCommand(): Command {
  return new Command('plan')
    .argument(...idArgument)
    .description('Show the plan of an operation, or decide on it.')
    .option('--approve', 'let the agent carry it out')
    .option('--change <text>', 'ask for changes; the agent then proposes a new version')
    .option('--cancel', 'cancel the operation')
    .option('--of <version>', 'decide only if this is still the current version')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  fettle plan op_01kxv3c9m2t8w4r6yq --change "no new dependency" --of 1',
    )
    .action((id: string, _options, command: Command) => plan(id, command.optsWithGlobals()));
}

async function plan(given: string, options: PlanOptions): Promise<void> {
  const decision = readDecision(options);
  const { withServer } = await import('../server/with-server.ts');
  await withServer(async ({ client, fettle }) => {
    const id = await resolveId(client, given);
    const status = await client.plan(id);
    const operation = decision && (await client.decide(id, { version: status.version, ...decision }));
    if (options.json) printJson(operation ?? status);
    else if (operation) process.stdout.write(`${describeState(operation)}\n`);
    else {
      const terminal = openTerminal(process.stdout, { color: options.color });
      terminal.print(describePlanStatus(status, terminal.width()));
      if (status.decision === null) terminal.print(listDecisions(`${fettle} plan ${id}`, status));
    }
  });
}

function listDecisions(command: string, { version }: PlanStatus): Line[] {
  const decisions = ['--approve', '--change "…"', '--cancel'];
  return [[], ...decisions.map((option) => ['  ', copyable(`${command} ${option} --of ${version}`)])];
}

type Decision = Pick<PlanDecision, 'decision' | 'message'> & Partial<Pick<PlanDecision, 'version'>>;

function readDecision({ approve, change, cancel, of }: PlanOptions): Decision | undefined {
  const decisions: Decision[] = [
    ...(approve ? [{ decision: 'approve' as const }] : []),
    ...(change === undefined ? [] : [{ decision: 'change' as const, message: change }]),
    ...(cancel ? [{ decision: 'cancel' as const }] : []),
  ];
  if (decisions.length > 1) throw usageError('give only one of --approve, --change and --cancel.');
  const [decision] = decisions;
  if (of === undefined || !decision) return decision;
  if (!/^[1-9]\d{0,5}$/.test(of)) throw usageError(`--of takes the version of a plan, not '${of}'.`);
  return { ...decision, version: Number(of) };
}
