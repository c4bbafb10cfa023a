import { createPathJudge, judgeCommand, toOperandJudge } from '@fettle/policy';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../tools/run-command.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { judgeCall } from './judge-call.ts';

const judgePath = createPathJudge({ protectedPaths: ['locked/**'] });
const judge = (line: string) => judgeCommand(line, { judgePath: toOperandJudge(judgePath) });

function judgeInput(tool: Tool, input: Record<string, unknown>) {
  const call = { tool, input, paths: tool.paths(input) };
  return judgeCall(call, { judgePath, commandPolicy: { mode: 'strict', judge } });
}

test.each([
  ['gti status', 'did you mean git?'],
  ['cat .env', 'say in your answer which value a person must set.'],
  ['npm ci', 'use install_dependencies.'],
])('the denial of %j ends with its advice and one punctuation mark', (command, end) => {
  const verdict = judgeInput(runCommand.strict, { command });
  expect(!verdict.ok && verdict.message.endsWith(end)).toBe(true);
});

const run = async () => ({ output: '' });
const moveFile = defineTool({
  name: 'move_file',
  description: 'Moves a file.',
  effect: 'writes',
  paths: ({ from, to }) => [
    { path: from, access: 'delete' },
    { path: to, access: 'write' },
  ],
  input: z.strictObject({ from: z.string(), to: z.string() }),
  run,
});

test.each([
  ['locked/a', 'b', /^locked\/a may not be deleted: .*\(rule locked\/\*\*\)/],
  ['a', 'locked/b', /^locked\/b may not be changed: .*\(rule locked\/\*\*\)/],
  ['.env', 'b', /^\.env may not be deleted/],
  ['a', '../b', /^\.\.\/b may not be changed/],
])('every declared path is judged: a move of %s to %s is denied', (from, to, message) => {
  expect(judgeInput(moveFile, { from, to })).toMatchObject({
    ok: false,
    message: expect.stringMatching(message),
    denial: { kind: 'path' },
  });
});

test('a call is allowed if all its paths are', () => {
  expect(judgeInput(moveFile, { from: 'a', to: 'b' })).toEqual({ ok: true, permit: {} });
});

test('a tool that declares no paths does not compile, unless it runs commands', () => {
  const parts = { name: 'x', description: 'x', input: z.strictObject({ from: z.string() }), run };
  // @ts-expect-error a tool that reads has to declare its paths
  defineTool({ ...parts, effect: 'reads' });
  // @ts-expect-error a tool that writes has to declare its paths
  defineTool({ ...parts, effect: 'writes' });
  // @ts-expect-error a tool that writes cannot declare that it touches no path
  defineTool({ ...parts, effect: 'writes', paths: 'none' });
  // @ts-expect-error an access has to be named
  defineTool({ ...parts, effect: 'reads', paths: ({ from }) => [{ path: from }] });
  defineTool({ ...parts, effect: 'reads', paths: 'none' });
  expect(defineTool({ ...parts, effect: 'runs' }).paths({ from: 'a' })).toEqual([]);
});
