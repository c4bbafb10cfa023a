import { createPathJudge, type PathJudge } from '../paths/judge-path.ts';
import type { OperandPathJudge } from './judge-operand-path.ts';

/** `approve` is reported when the file is handed out, not here. */
export function toOperandJudge(judge: PathJudge): OperandPathJudge {
  return (path, operation) => {
    const verdict = judge(path, operation);
    if (verdict.decision !== 'deny') return { ok: true };
    const { rule, reason, instead } = verdict;
    return { ok: false, rule, reason, instead };
  };
}

/** The default: only the built-in path rules. */
export const judgeByDefault: OperandPathJudge = toOperandJudge(createPathJudge());
