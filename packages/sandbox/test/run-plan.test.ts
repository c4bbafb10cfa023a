import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPlan } from '@fettle/contract';
import { expect, it } from 'vitest';
import type { RunResult } from '../src/host/sandbox.ts';
import { planOf } from '../src/testing/plan-of.ts';
import { sharesHostView } from '../src/testing/test-backend.ts';
import { ended, expectRefusal, startTestSandbox } from '../src/testing/test-sandbox.ts';

const plain: CommandPlan = planOf('true');

it('runs steps by their conditions, and ends like the last one', async () => {
  const { sandbox, run } = await startTestSandbox();
  expect(await run("echo one && sh -c 'exit 3' || echo two ; sh -c 'exit 4' && echo three")).toEqual({
    ...{ ...ended, exitCode: 4, output: 'one\ntwo\n' },
    ...{ durationMs: expect.any(Number), programMs: expect.any(Number) },
  });
  expect(await run("sh -c 'kill -9 $$' || echo failed ; sh -c 'kill -9 $$'")).toMatchObject({
    ...{ exitCode: null, signal: 'SIGKILL', output: 'failed\n' },
  });
  expect(await run('yes | head -1 | cat')).toMatchObject({ ...ended, output: 'y\n' });
  expect(await run('yes | head -1 ; yes | true')).toMatchObject({ ...ended, output: 'y\n' });
  const never = planOf('true').map((step) => ({ ...step, when: 'failure' as const }));
  expect(await sandbox.run({ plan: never })).toMatchObject({ ...ended, output: '' });
});

it('kills a program with SIGPIPE when its reader has exited', async () => {
  const { run } = await startTestSandbox();
  const line = "sh -c 'yes || echo $? >&2' | head -1 > first";
  // 128 plus SIGPIPE. A program that ignores the signal gets EPIPE instead.
  expect(await run(line)).toMatchObject({ ...ended, output: '141\n' });
});

it('passes much data through pipes of the kernel', { timeout: 60_000 }, async () => {
  const { run } = await startTestSandbox();
  const line = 'head -c 100000000 /dev/zero | cat | cat | wc -c';
  expect(await run(line)).toMatchObject({ ...ended, output: '100000000\n' });
  const kinds = "echo x | sh -c 'stat -L -c %F /dev/stdin /dev/stdout ; cat /dev/stdin > /dev/stdout' | cat";
  expect(await run(kinds)).toMatchObject({ ...ended, output: 'fifo\nfifo\nx\n' });
  // The maximum number of steps: their pipes are created while the plan runs.
  const long = Array.from({ length: 20 }, () => 'cat').join(' | ');
  const many = Array.from({ length: 8 }, () => `echo x | ${long.slice(6)}`).join(' ; ');
  expect(await run(many)).toMatchObject({ ...ended, output: 'x\n'.repeat(8) });
});

it('passes each program only its own ends of pipes and files', async () => {
  const { sandbox, run } = await startTestSandbox();
  const look = 'ls /proc/self/fd';
  const line = `${look} ; ${look} | cat ; echo x | ${look} ; ${look} > a 2> b ; cat a`;
  const alone = await sandbox.run({ argv: look.split(' ') });
  // Other open descriptors would keep a pipe open.
  expect(await run(line)).toMatchObject({ ...ended, output: alone.output.repeat(4) });
});

it('writes a failed start to standard error, and continues by its exit code', async () => {
  const { sandbox, workspace, run } = await startTestSandbox();
  writeFileSync(join(workspace, 'text'), 'no program');
  writeFileSync(join(workspace, 'script'), '#!/nowhere/at/all\n');
  chmodSync(join(workspace, 'script'), 0o755);
  const missing = '"no-such-program": command not found\n';
  const outcomes: [string, Partial<RunResult>][] = [
    ['no-such-program --flag', { ...ended, exitCode: 127, output: missing }],
    ['./text || echo next', { ...ended, output: '"./text": cannot be started: permission denied\nnext\n' }],
    ['./text', { exitCode: 126 }],
    ['./script', { exitCode: 127 }],
    ['no-such-program 2> err && echo no ; cat err', { output: missing }],
    ['echo a ; no-such-program ; echo b', { output: `a\n${missing}b\n` }],
    [
      'no-such-program 2>&1 | other-program 2>&1 | cat',
      { ...ended, output: '"other-program": command not found\n' },
    ],
    // The message waits until the pipe has room.
    ['head -c 1000000 /dev/zero >&2 | no-such-program', { exitCode: 127, omittedBytes: expect.any(Number) }],
  ];
  for (const [line, outcome] of outcomes) expect(await run(line), line).toMatchObject(outcome);
  const huge = [{ text: 'echo' }, { text: 'x'.repeat(200_000) }];
  const tooLong = [{ when: 'always' as const, commands: [{ argv: huge, env: {}, redirects: [] }] }];
  expect(await sandbox.run({ plan: tooLong })).toMatchObject({
    ...{ exitCode: 126, output: '"echo": cannot be started: its arguments are too long\n' },
  });
});

it('passes a program only the variables of its own command', async () => {
  const { sandbox } = await startTestSandbox();
  const show = "sh -c 'echo $A-$B'";
  const plan = planOf(`A=1 ${show} ; B='2 3' ${show} | cat ; ${show}`);
  expect(await sandbox.run({ plan, env: { A: 'given', B: 'too' } })).toMatchObject({
    output: '1-too\ngiven-2 3\ngiven-too\n',
  });
  const marked = planOf("FETTLE_COMMAND=mine sh -c 'test $FETTLE_COMMAND = mine'");
  expect(await sandbox.run({ plan: marked })).toMatchObject({ exitCode: 1 });
});

it('changes only to folders of the workspace', async () => {
  const { sandbox, run } = await startTestSandbox();
  await sandbox.run({ command: 'mkdir -p a/b; ln -s / out; ln -s ../.. a/b/up; touch file' });
  const place = (await sandbox.run({ argv: ['pwd'] })).output.trim();
  expect(await run('cd a/b && pwd && cd && pwd')).toMatchObject({ output: `${place}/a/b\n${place}\n` });
  expect(await run('pwd && cd .. && pwd', 'a/b')).toMatchObject({ output: `${place}/a/b\n${place}/a\n` });
  expect(await run(`cd ${place}/a && pwd`)).toMatchObject({ output: `${place}/a\n` });
  expect(await run('cd a/b/up && pwd')).toMatchObject({ output: `${place}\n` });
  for (const target of ['..', 'a/../..', '/', '/tmpx', 'out', 'out/tmp', 'nowhere', 'file', 'a b', '-']) {
    const result = await run(`cd ${target} || pwd`);
    expect(result, target).toMatchObject({ exitCode: 0 });
    expect(result.output, target).toMatch(new RegExp(`^"cd": .+\\n${place}\\n$`));
  }
  expect(await run('cd out')).toMatchObject({ exitCode: 1 });
  expect(await run('cd a && rm -r ../a && echo x')).toMatchObject({
    exitCode: 1,
    output: '"echo": the folder "a" does not exist\n',
  });
  await expectRefusal(sandbox.run({ plan: plain, cwd: '..' }), 'outside');
  await expectRefusal(sandbox.run({ plan: plain, cwd: 'nowhere' }), 'not_found');
});

it('rejects an invalid plan without starting anything', async () => {
  const { sandbox } = await startTestSandbox();
  const command = plain[0]?.commands[0] as CommandPlan[number]['commands'][number];
  const step = { when: 'always', commands: [command] };
  const withCommand = (part: object) => [{ ...step, commands: [{ ...command, ...part }] }];
  const hostile: Record<string, unknown> = {
    'no list': 'rm -rf .',
    'no steps': [],
    'too many steps': Array.from({ length: 51 }, () => step),
    'no commands': [{ ...step, commands: [] }],
    'too many commands': [{ ...step, commands: Array.from({ length: 21 }, () => command) }],
    'another condition': [{ ...step, when: 'sometimes' }],
    'no words': withCommand({ argv: [] }),
    'too many words': withCommand({ argv: Array.from({ length: 1001 }, () => ({ text: 'x' })) }),
    'a bare word': withCommand({ argv: ['true'] }),
    'a word that is two': withCommand({ argv: [{ text: 'true', glob: '*' }] }),
    'a field of its own': withCommand({ shell: true }),
    'too many redirections': withCommand({
      redirects: Array.from({ length: 11 }, () => ({ kind: 'read', path: 'a' })),
    }),
    'another descriptor': withCommand({ redirects: [{ kind: 'write', fd: '3', path: 'a', append: false }] }),
    'a variable that is not text': withCommand({ env: { A: 1 } }),
    'a name that is none': withCommand({ env: { 'A=B': '' } }),
    'a NUL in a value': withCommand({ env: { A: '\0' } }),
    'a NUL in a word': withCommand({ argv: [{ text: 'touch' }, { text: 'a\0b' }] }),
    'a NUL in a pattern': withCommand({ argv: [{ text: 'touch' }, { glob: '*\0' }] }),
  };
  for (const [name, plan] of Object.entries(hostile)) {
    const isWhole = name === 'no steps' || !Array.isArray(plan);
    const whole = isWhole ? plan : [...planOf('touch started'), ...plan];
    await expectRefusal(sandbox.run({ plan: whole as CommandPlan }), 'bad_request');
  }
  const large = withCommand({ argv: [{ text: 'x'.repeat(2 ** 21) }] }) as CommandPlan;
  await expectRefusal(sandbox.run({ plan: large }), 'too_large');
  await expectRefusal(sandbox.run({ plan: plain, argv: ['true'] }), 'bad_request');
  await expectRefusal(sandbox.run({ plan: plain, command: 'true' }), 'bad_request');
  await expectRefusal(sandbox.statFile('started'), 'not_found');
  expect(await sandbox.run({ plan: plain })).toMatchObject(ended);
});

it.runIf(sharesHostView)('starts programs without a shell', async () => {
  const { run } = await startTestSandbox();
  const parentOf = "node -p 'process.ppid'";
  const line = `${parentOf} ; ${parentOf} | cat && ${parentOf}`;
  const { output } = await run(line);
  expect(new Set(output.trim().split('\n')).size).toBe(1);
});
