import type { OperandPathJudge } from './judge-operand-path.ts';

/** Where nobody says more; that a path lies in the workspace is seen to before. */
export const judgeByDefault: OperandPathJudge = (path) => {
  const isGit = path
    .normalize('NFC')
    .split('/')
    .some((name) => name.toLowerCase() === '.git');
  return isGit
    ? { ok: false, rule: 'path/git', reason: 'git’s own files are reached through git only' }
    : { ok: true };
};
