import { createPathJudge } from '../paths/judge-path.ts';
import type { OperandPathJudge } from './judge-operand-path.ts';

const judge = createPathJudge();

/** Where nobody says more: the built-in rules for paths. What a person has to be shown is shown later. */
export const judgeByDefault: OperandPathJudge = (path, operation) => {
  const verdict = judge(path, operation);
  return verdict.decision === 'deny'
    ? { ok: false, rule: verdict.rule, reason: verdict.reason }
    : { ok: true };
};
