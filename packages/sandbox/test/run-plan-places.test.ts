/** Where a plan may start programs and keep files. */
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPlan } from '@fettle/contract';
import { expect, it } from 'vitest';
import { planOf } from '../src/testing/plan-of.ts';
import { startTestSandbox } from '../src/testing/test-sandbox.ts';

const leadsOut = { exitCode: 1, output: expect.stringMatching(/leads out/) };

it('starts programs by a path of the workspace, unless it is a link that leads out', async () => {
  const { sandbox, workspace, run } = await startTestSandbox();
  await sandbox.writeFile('bin/hello', Buffer.from('#!/bin/sh\necho "hello $1"\n'), { executable: true });
  symlinkSync('/bin/sh', join(workspace, 'bin', 'leaves'));
  symlinkSync('hello', join(workspace, 'bin', 'inside'));
  expect(await run('bin/hello a && cd bin && ./inside b')).toMatchObject({ output: 'hello a\nhello b\n' });
  expect(await run('bin/leaves -c id')).toMatchObject(leadsOut);
  expect(await run('cd bin && ./leaves -c id')).toMatchObject({ exitCode: 1 });
});

it('passes the text of a here-document as standard input', async () => {
  const { sandbox } = await startTestSandbox();
  const plan = (line: string, text: string): CommandPlan => {
    const steps = planOf(line);
    steps[0]?.commands[0]?.redirects.unshift({ kind: 'text', text });
    return steps;
  };
  const text = 'one $HOME `id`\n\\two "é"\n';
  expect(await sandbox.run({ plan: plan('cat > a ; cat a | wc -l', text) })).toMatchObject({ output: '2\n' });
  expect((await sandbox.readFile('a')).bytes.toString()).toBe(text);
  expect(await sandbox.run({ plan: plan('wc -c', 'x'.repeat(20_000)) })).toMatchObject({ output: '20000\n' });
  // The file that holds the text is gone at once.
  const listed = await sandbox.run({ plan: plan('ls -A ..', text) });
  expect(listed.output).not.toContain('text-');
  expect(await sandbox.run({ plan: plan('cat < missing', text) })).toMatchObject({ exitCode: 1 });
  expect(await sandbox.run({ plan: plan('node - a', 'console.log(process.argv[2])') })).toMatchObject({
    output: 'a\n',
  });
});

const place = (path: string, isPattern = false) => ({ place: path, isPattern });
type Word = CommandPlan[number]['commands'][number]['argv'][number];
const command = (...words: (string | Word)[]): CommandPlan => {
  const argv = words.map((word) => (typeof word === 'string' ? { text: word } : word));
  return [{ when: 'always', commands: [{ argv, env: {}, redirects: [] }] }];
};

it('calls the scratch folder /tmp, and keeps it between commands and out of the change', async () => {
  const { sandbox, workspace } = await startTestSandbox();
  const run = (plan: CommandPlan) => sandbox.run({ plan });
  const name = `fettle-${process.pid}-${Date.now()}`;
  await run(command('mkdir', place(`/tmp/${name}`)));
  expect(await run(planOf(`echo one > /tmp/${name}/a.txt && cat < /tmp/${name}/a.txt`))).toMatchObject({
    output: 'one\n',
  });
  expect(await run(command('cat', place(`/tmp/${name}/a.txt`)))).toMatchObject({ output: 'one\n' });
  const listed = await run(command('ls', place(`/tmp/${name}/*.txt`, true)));
  expect(listed.output).toMatch(new RegExp(`^/.+/${name}/a\\.txt\\n$`));
  const moved = planOf(
    `cd /tmp/${name} && cat a.txt && cat *.txt > b && cd .. && cat ${name}/b && cd && pwd`,
  );
  expect((await run(moved)).output).toMatch(/^one\none\n\/.+\/workspace\n$/);
  // Not the folder of this machine.
  expect(existsSync(join('/tmp', name))).toBe(false);
  expect(readdirSync(workspace)).toEqual([]);
  for (const line of ['cat < /tmp/../etc/passwd', 'echo x > /tmp/r/.git/config', 'cd /tmp/../..']) {
    expect(await run(planOf(line)), line).toMatchObject({ exitCode: 1 });
  }
  expect(await run(command('ls', place('/etc')))).toMatchObject(leadsOut);
});

it('finds absolute paths into the workspace, and refuses those of another one', async () => {
  const { sandbox, run } = await startTestSandbox();
  await sandbox.writeFile('src/a b.ts', Buffer.from('one\n'));
  const real = (await sandbox.run({ argv: ['pwd'] })).output.trim();
  for (const base of ['/sandbox/workspace', real]) {
    for (const file of [place(`${base}/src/a b.ts`), place(`${base}/src/*.ts`, true)])
      expect(await sandbox.run({ plan: command('cat', file) })).toMatchObject({ output: 'one\n' });
    expect(await run(`cd ${base}/src && pwd`)).toMatchObject({ output: `${real}/src\n` });
  }
  for (const other of ['/home/me/workspace/src', `${real}x/src`, `${real}/../x`]) {
    const { exitCode } = await sandbox.run({ plan: command('ls', place(other)) });
    expect(exitCode, other).not.toBe(0);
  }
});

it('lets git read no settings of a folder that only looks like a repository', async () => {
  const { sandbox, run } = await startTestSandbox();
  await sandbox.run({ command: 'git init -q . && mkdir -p x/objects x/refs' });
  await sandbox.writeFile('x/HEAD', Buffer.from('ref: refs/heads/main\n'));
  const settings =
    '[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ..\nfsmonitor = "touch ran; false"\n';
  await sandbox.writeFile('x/config', Buffer.from(settings));
  expect((await run('git status')).exitCode).toBe(0);
  for (const line of ['git -C x status', 'cd x && git status'])
    expect((await run(line)).output, line).toMatch(/bare repository/);
  expect((await run('find . -name ran')).output).toBe('');
});
