// A toolbox that lies: what it says comes from a command that has taken it over.
import { type Sandbox, SandboxError, type SandboxErrorCode } from '@fettle/sandbox';
import type { Attempt, Stage, Verdict } from '../support/attempt.ts';
import { goesOn } from '../support/clear-end.ts';
import { programArgv } from '../support/program.ts';
import { type Afterwards, canTakeOver, takeOver } from '../support/take-over.ts';

const json = (text: string): Buffer => frame(1, Buffer.from(text));
const outputOf = (id: number): Buffer =>
  frame(2, Buffer.concat([Buffer.from([0, 0, 0, id]), Buffer.alloc(150)]));
const RESULT =
  '{"exitCode":0,"signal":null,"timedOut":false,"outOfMemory":false,"cancelled":false,"omittedBytes":0,"programMs":1}';
const ANSWER = json(`{"id":1,"ok":true,"result":${RESULT}}`);
const HELLO = json('{"protocol":1,"node":"","platform":"","tools":{"git":true,"rg":true}}');
const FOREIGN_ERROR = json('{"id":1,"ok":false,"error":{"code":"__proto__","message":""}}');
const [SILENT, ENDS, AGAIN] = ['falls silent', 'ends', 'says it again and again'] as const;

/** The last is what the worker makes of it, which shows that it was this that ended the sandbox. */
const LIES: [name: string, said: Buffer, afterwards: Afterwards, code: SandboxErrorCode][] = [
  ['answers a request that nobody made', json('{"id":99,"ok":true,"result":{}}'), SILENT, 'malformed'],
  ['answers with what was not asked for', json('{"id":1,"ok":true,"result":[]}'), SILENT, 'malformed'],
  ['answers twice', Buffer.concat([ANSWER, ANSWER]), SILENT, 'malformed'],
  ['answers in place of its command and falls silent', ANSWER, SILENT, 'ended'],
  ['announces a huge frame', Buffer.from([0xff, 0xff, 0xff, 0xff, 1]), SILENT, 'malformed'],
  ['cuts a frame off and falls silent', ANSWER.subarray(0, 12), SILENT, 'ended'],
  ['cuts a frame off and ends', ANSWER.subarray(0, 12), ENDS, 'ended'],
  ['falls silent', Buffer.alloc(0), SILENT, 'ended'],
  ['sends the output of another request', outputOf(9), SILENT, 'malformed'],
  ['sends output without end', outputOf(1), AGAIN, 'ended'],
  ['gives credit without end', json('{"id":1,"credit":9007199254740991}'), AGAIN, 'malformed'],
  ['says hello without end', HELLO, AGAIN, 'malformed'],
  ['sends what is no JSON', json('[[[[[[[['), SILENT, 'malformed'],
  ['names an error that there is not', FOREIGN_ERROR, SILENT, 'malformed'],
];

export const takenOver: Attempt[] = LIES.filter(() => canTakeOver).map(([name, said, afterwards, code]) => ({
  name: `a toolbox that was taken over ${name}`,
  // A silent toolbox is waited for, here as there; once is enough.
  onProcess: code === 'ended' && afterwards !== ENDS ? { skip: 'as where the toolbox is frozen' } : 'held',
  scenario: (stage) => lie(stage, takeOver(said, afterwards), code),
}));

async function lie({ start }: Stage, perl: string, code: SandboxErrorCode): Promise<Verdict> {
  const sandbox = await start();
  const error = await beLiedTo(sandbox, programArgv({ perl })).catch((reason: unknown) => reason);
  // A kernel that lets no process write to another's memory.
  if (error === 'not taken over') return 'held';
  if (!(error instanceof SandboxError) || error.code !== code) return `it came to ${error}`;
  await sandbox.close();
  return goesOn(await start());
}

/** A forged answer is as good as a true one from such a sandbox; whatever is asked next has to show it. */
async function beLiedTo(sandbox: Sandbox, argv: string[]): Promise<string> {
  const { output } = await sandbox.run({ argv, timeoutMs: 1000, graceMs: 4000 });
  if (/^held: /m.test(output)) return 'not taken over';
  await sandbox.run({ argv: ['true'], timeoutMs: 1000, graceMs: 4000 });
  return 'nothing';
}

function frame(kind: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(payload.length);
  header.writeUInt8(kind, 4);
  return Buffer.concat([header, payload]);
}
