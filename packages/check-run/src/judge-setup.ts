import {
  type CommandLayer,
  type CommandVerdict,
  createPathJudge,
  judgeCommand,
  type PathJudge,
  toOperandJudge,
} from '@fettle/policy';

const judgeBuiltIn = createPathJudge();

/** Allows `cp .env.example .env`, which is common in set-up. Files that set-up creates are never part of the change. */
const judgeSetupPath: PathJudge = (path, operation) => {
  const verdict = judgeBuiltIn(path, operation);
  const isEnvironmentFile =
    operation === 'write' && verdict.decision === 'deny' && verdict.rule === 'environment-file';
  return isEnvironmentFile ? { decision: 'allow' } : verdict;
};

/** Set-up commands are judged like the agent's commands, in either mode, but may also install packages. */
export function judgeSetupCommand(line: string, layers: CommandLayer[]): CommandVerdict {
  return judgeCommand(line, { purpose: 'set-up', layers, judgePath: toOperandJudge(judgeSetupPath) });
}

export function describeRefusal(
  line: string,
  { token, rule, reason, instead }: Extract<CommandVerdict, { decision: 'deny' }>,
): string {
  const what = token === undefined ? '' : ` «${token.slice(0, 200)}»:`;
  const advice = instead === undefined ? '' : ` Instead: ${instead.slice(0, 1_000)}.`;
  return `setup: ${line}:${what} ${reason} (rule ${rule}).${advice} Put commands that need a shell in a script of the repository, and run it with npm run, make, node or python.`;
}
