/** Commands that attack their toolbox: the operation ends with a reason, and the worker continues with the next one. */
import { interruptedOutput } from '@fettle/agent';
import { call, conversation, conversationFor, say, turn } from '@fettle/rehearsal';
import { expect, test } from 'vitest';
import { programArgv } from '../isolation/support/program.ts';
import { canTakeOver, takeOver } from '../isolation/support/take-over.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';

const honest = conversationFor('an honest errand', repairSum, turn(say('Mended')));

/** The shell becomes the program, so that the toolbox is its parent. */
function asCommand(perl: string): string {
  const [, , source = ''] = programArgv({ perl });
  const text = Buffer.from(source).toString('base64');
  return `echo ${text} | base64 -d > "$TMPDIR/attack.pl"; exec perl "$TMPDIR/attack.pl"`;
}

function frame(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from([1]), Buffer.from(text)]);
}

const forged = frame('{"id":999999,"ok":true,"result":{}}');
const attacks = {
  dies: 'kill -KILL $PPID; sleep 30',
  hangs: 'kill -STOP $PPID; sleep 30',
  ...(canTakeOver && {
    lies: asCommand(takeOver(forged, 'falls silent')),
    floods: asCommand(takeOver(frame('{"id":1,"credit":1}'), 'says it again and again')),
  }),
};
const clearReasons: Record<string, RegExp> = {
  dies: /the toolbox has ended/,
  hangs: /the toolbox does not answer: run was not answered within [\d.]+ s/,
  lies: /the toolbox answered request 999999, which is not open/,
  floods: /the toolbox answered request 1, which is not open/,
};
const hostile = Object.entries(attacks).map(([name, command]) =>
  conversation(
    name,
    [repairSum, turn(call('run_command', { command, timeoutSeconds: 1 })), turn(say('Done'))],
    {
      match: `a toolbox that ${name}`,
      repeatOn: interruptedOutput.slice(0, 40),
    },
  ),
);

test.for(sandboxes)('a compromised toolbox in $name', async ({ name, missing }, { skip }) => {
  skip(missing !== '', missing);
  const settings = {
    ...(await settingsFor(name)),
    FETTLE_MAX_ATTEMPTS: '1',
    FETTLE_CONCURRENCY: '4',
    FETTLE_COMMANDS: 'contained',
  };
  const platform = await openPlatform({ conversations: [...hostile, honest], settings });
  const repository = openRepository(brokenSum);
  const run = (description: string) => platform.run(repository.request('fix', description));

  await Promise.all(
    Object.keys(attacks).map(async (attack) => {
      const { operation } = await run(`a toolbox that ${attack}`);
      expect(operation.outcome).toMatchObject({
        kind: 'failure',
        reason: 'sandbox_lost',
        message: expect.stringMatching(clearReasons[attack] ?? /^$/),
      });
    }),
  );
  const { operation } = await run('an honest errand');
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
});
