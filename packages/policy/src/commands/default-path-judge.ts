import { createPathJudge, type PathJudge } from '../paths/judge-path.ts';
import type { OperandPathJudge } from './judge-operand-path.ts';

/** What a person has to be shown is shown where the file is handed out. */
export function toOperandJudge(judge: PathJudge): OperandPathJudge {
  return (path, operation) => {
    const verdict = judge(path, operation);
    if (verdict.decision !== 'deny') return { ok: true };
    const { rule, reason, instead } = verdict;
    return { ok: false, rule, reason, instead };
  };
}

/** Where nobody says more: the built-in rules for paths. */
export const judgeByDefault: OperandPathJudge = toOperandJudge(createPathJudge());
