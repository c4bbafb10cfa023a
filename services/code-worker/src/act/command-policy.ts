/** How command lines are run in one operation: by which rules, of which layers, and in which mode. */
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
import type { Work } from '../attempt/attempt.ts';

type Asked = Pick<Work, 'claim' | 'config'>;
type Own = Pick<RepositoryConfig, 'policy'>;

/** What operator, organization and repository forbid over the built-in rules. */
function layersOf({ claim, config }: Asked, { policy }: Own): CommandLayer[] {
  const { commands, organizations } = config.policyFile;
  const ofOrganization = organizations[claim.organization]?.commands ?? [];
  const layers: [CommandLayer['layer'], CommandRule[]][] = [
    ['operator', commands],
    ['organization', ofOrganization],
    ['repository', policy.rules],
  ];
  return layers.flatMap(([layer, rules]) => (rules.length > 0 ? [{ layer, rules }] : []));
}

/** A shell only where everybody leaves it at that: rules of a layer can be held to nothing that a shell reads. */
function commandModeOf(work: Asked, own: Own, backend: string): CommandMode {
  const isContained =
    work.config.commandMode === 'contained' &&
    backend !== 'process' &&
    own.policy.commands !== 'strict' &&
    layersOf(work, own).length === 0;
  return isContained ? 'contained' : 'strict';
}

export function createCommandPolicy(
  work: Asked,
  own: Own,
  { backend, judgePath }: { backend: string; judgePath: PathJudge },
): CommandPolicy {
  if (commandModeOf(work, own, backend) === 'contained') return { mode: 'contained' };
  const options = { layers: layersOf(work, own), judgePath: toOperandJudge(judgePath) };
  return { mode: 'strict', judge: (line) => judgeCommand(line, options) };
}

/** Set-up is judged like the agent's lines, whatever the mode; only packages come in this way, too. */
export function judgeSetup(work: Asked, own: Own, line: string): CommandVerdict {
  return judgeCommand(line, {
    purpose: 'set-up',
    layers: layersOf(work, own),
    judgePath: toOperandJudge(judgeSetupPath),
  });
}

const judgeBuiltIn = createPathJudge();

/** `cp .env.example .env` is how many repositories begin; what set-up leaves behind is part of no change. */
const judgeSetupPath: PathJudge = (path, operation) => {
  const verdict = judgeBuiltIn(path, operation);
  const isStart = operation === 'write' && verdict.decision === 'deny' && verdict.rule === 'environment-file';
  return isStart ? { decision: 'allow' } : verdict;
};

/** Why the first set-up command that may not run may not; undefined where all may. */
export function findRefusedSetup(
  work: Asked,
  config: Pick<RepositoryConfig, 'policy' | 'setup'>,
): string | undefined {
  for (const line of config.setup) {
    const verdict = judgeSetup(work, config, line);
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
  return `setup: ${line}:${what} ${reason} (rule ${rule}).${advice} What needs a shell can stand in a script of the repository, which npm run, make, node or python runs.`;
}
