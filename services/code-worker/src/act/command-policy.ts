/** Decides how the commands of one operation run: in which mode, and by the rules of which layers. */
import type { CommandPolicy } from '@fettle/agent';
import type { CommandMode, CommandRule } from '@fettle/contract';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import {
  type CommandLayer,
  type CommandVerdict,
  createPathJudge,
  judgeCommand,
  type PathJudge,
  toOperandJudge,
} from '@fettle/policy';
import type { Attempt } from '../attempt/attempt.ts';

type Scope = Pick<Attempt, 'claim' | 'config'>;
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

/** A shell is used only if no layer has rules: rules cannot be applied to what a shell interprets. */
function commandModeOf(attempt: Scope, repository: RepositoryPolicy, backend: string): CommandMode {
  const isContained =
    attempt.config.commandMode === 'contained' &&
    backend !== 'process' &&
    repository.policy.commands !== 'strict' &&
    layersOf(attempt, repository).length === 0;
  return isContained ? 'contained' : 'strict';
}

export function createCommandPolicy(
  attempt: Scope,
  repository: RepositoryPolicy,
  { backend, judgePath }: { backend: string; judgePath: PathJudge },
): CommandPolicy {
  if (commandModeOf(attempt, repository, backend) === 'contained') return { mode: 'contained' };
  const options = { layers: layersOf(attempt, repository), judgePath: toOperandJudge(judgePath) };
  return { mode: 'strict', judge: (line) => judgeCommand(line, options) };
}

/** Set-up commands are judged like the agent's commands, in either mode, but may also install packages. */
export function judgeSetup(attempt: Scope, repository: RepositoryPolicy, line: string): CommandVerdict {
  return judgeCommand(line, {
    purpose: 'set-up',
    layers: layersOf(attempt, repository),
    judgePath: toOperandJudge(judgeSetupPath),
  });
}

const judgeBuiltIn = createPathJudge();

/** Allows `cp .env.example .env`, which is common in set-up. Files that set-up creates are never part of the change. */
const judgeSetupPath: PathJudge = (path, operation) => {
  const verdict = judgeBuiltIn(path, operation);
  const isEnvironmentFile =
    operation === 'write' && verdict.decision === 'deny' && verdict.rule === 'environment-file';
  return isEnvironmentFile ? { decision: 'allow' } : verdict;
};

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

export function describeRefusal(
  line: string,
  { token, rule, reason, instead }: Extract<CommandVerdict, { decision: 'deny' }>,
): string {
  const what = token === undefined ? '' : ` «${token.slice(0, 200)}»:`;
  const advice = instead === undefined ? '' : ` Instead: ${instead.slice(0, 1_000)}.`;
  return `setup: ${line}:${what} ${reason} (rule ${rule}).${advice} Put commands that need a shell in a script of the repository, and run it with npm run, make, node or python.`;
}
