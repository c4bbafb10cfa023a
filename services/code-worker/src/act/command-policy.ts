/** Decides how the commands of one operation run: in which mode, and by the rules of which layers. */
import type { CommandPolicy } from '@fettle/agent';
import { describeRefusal, judgeSetupCommand } from '@fettle/check-run';
import type { CommandMode, CommandRule } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import {
  type CommandLayer,
  type CommandVerdict,
  judgeCommand,
  judgeContained,
  type PathJudge,
  toOperandJudge,
} from '@fettle/policy';
import type { Attempt } from '../attempt/attempt.ts';

interface Scope {
  claim: Pick<Attempt['claim'], 'organization'>;
  config: Pick<Attempt['config'], 'commandMode' | 'policyFile'>;
}
type RepositoryPolicy = Pick<RepositoryConfig, 'policy'>;

/** What the operator, the organization and the repository forbid in addition to the built-in rules. */
function layersOf({ claim, config }: Scope, { policy }: RepositoryPolicy): CommandLayer[] {
  const { commands, organizations } = config.policyFile;
  const ofOrganization = organizations[claim.organization]?.commands ?? [];
  const layers: [CommandLayer['layer'], CommandRule[]][] = [
    ['operator', commands],
    ['organization', ofOrganization],
    ['repository', policy.rules],
  ];
  return layers.flatMap(([layer, rules]) => (rules.length > 0 ? [{ layer, rules }] : []));
}

/**
 * A shell is the default where the sandbox isolates, and only if no layer has rules: rules cannot be applied to what a
 * shell interprets.
 */
export function commandModeOf(attempt: Scope, repository: RepositoryPolicy, backend: string): CommandMode {
  const isStrict =
    backend === 'process' ||
    attempt.config.commandMode === 'strict' ||
    repository.policy.commands === 'strict' ||
    layersOf(attempt, repository).length > 0;
  return isStrict ? 'strict' : 'contained';
}

export function createCommandPolicy(
  attempt: Scope,
  repository: RepositoryPolicy,
  { backend, judgePath }: { backend: string; judgePath: PathJudge },
): CommandPolicy {
  const options = { layers: layersOf(attempt, repository), judgePath: toOperandJudge(judgePath) };
  if (commandModeOf(attempt, repository, backend) === 'contained')
    return { mode: 'contained', judge: (line) => judgeContained(line, options) };
  return { mode: 'strict', judge: (line) => judgeCommand(line, options) };
}

export function judgeSetup(attempt: Scope, repository: RepositoryPolicy, line: string): CommandVerdict {
  return judgeSetupCommand(line, layersOf(attempt, repository));
}

/** Why the first refused set-up command is refused; undefined if all are allowed. */
export function findRefusedSetup(
  attempt: Scope,
  config: Pick<RepositoryConfig, 'policy' | 'setup'>,
): string | undefined {
  for (const line of config.setup) {
    const verdict = judgeSetup(attempt, config, line);
    if (verdict.decision === 'deny') return describeRefusal(line, verdict);
  }
  return undefined;
}
