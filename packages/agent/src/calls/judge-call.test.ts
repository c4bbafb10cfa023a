import { createPathJudge, judgeCommand, toOperandJudge } from '@fettle/policy';
import { expect, test } from 'vitest';
import { runCommand } from '../tools/run-command.ts';
import { judgeCall } from './judge-call.ts';

const judgePath = createPathJudge();
const judge = (line: string) => judgeCommand(line, { judgePath: toOperandJudge(judgePath) });

function tellOf(command: string): string {
  const verdict = judgeCall(
    runCommand.strict,
    { command },
    { judgePath, commandPolicy: { mode: 'strict', judge } },
  );
  if (verdict.ok) throw new Error(`${command} may run`);
  return verdict.told;
}

test.each([
  ['gti status', 'did you mean git?'],
  ['cat .env', 'say in your answer what a person has to fill in.'],
  ['npm ci', 'use install_dependencies.'],
])('what the model is told of %j ends once', (line, end) => {
  expect(tellOf(line).endsWith(end)).toBe(true);
});
