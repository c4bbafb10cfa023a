/** Redirections and patterns of a plan. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planOf } from '../src/testing/plan-of.ts';
import { startTestSandbox } from '../src/testing/test-sandbox.ts';

const both = "sh -c 'echo out ; echo err >&2'";

it('applies redirections in the given order', async () => {
  const { workspace, run } = await startTestSandbox();
  const read = (path: string) => readFileSync(join(workspace, path), 'utf8');
  expect(await run(`${both} > a ; ${both} >> a 2>> a ; ${both} &> b`)).toMatchObject({ output: 'err\n' });
  expect(read('a')).toBe('out\nout\nerr\n');
  expect(read('b')).toBe('out\nerr\n');
  expect(await run(`${both} > c 2>&1`)).toMatchObject({ output: '' });
  expect(read('c')).toBe('out\nerr\n');
  expect(await run(`${both} 2>&1 > d`)).toMatchObject({ output: 'err\n' });
  expect(read('d')).toBe('out\n');
  expect(await run('sort -r < b > b.sorted && cat < b.sorted')).toMatchObject({ output: 'out\nerr\n' });
  expect(await run(`${both} > /dev/null 2> /dev/null ; cat < /dev/null`)).toMatchObject({ output: '' });
  // Programs get the file itself and not a copy, so they can seek in it.
  const large = await run('head -c 5000000 /dev/zero > large && wc -c < large');
  expect(large).toMatchObject({ output: '5000000\n' });
  expect(statSync(join(workspace, 'a')).mode & 0o777).toBe(0o666 & ~process.umask());
});

it('opens only regular files of the workspace', async () => {
  const { sandbox, workspace, folder } = await startTestSandbox();
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'secret');
  mkdirSync(join(workspace, 'sub'));
  writeFileSync(join(workspace, 'sub', 'file'), 'content');
  const links = {
    ...{ leaves: outside, climbs: '../../outside', up: '..', inside: 'sub/file', folder: 'sub' },
    ...{ loop: 'loop', dangling: 'sub/new' },
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name));
  execFileSync('mkfifo', [join(workspace, 'fifo')]);
  const run = (line: string) => sandbox.run({ plan: planOf(line), timeoutMs: 20_000 });
  const refused: [string, RegExp][] = [
    ['cat < leaves', /leads out/],
    ['cat < climbs', /leads out/],
    ['cat < up/anything', /leads out/],
    ['cat < loop', /loop/],
    ['cat < fifo', /not a regular file/],
    ['cat < sub', /directory/],
    ['cat < sub/file/', /directory/],
    ['cat < sub/file/deeper', /does not exist/],
    ['cat < nowhere', /does not exist/],
    ['cat < dangling', /does not exist/],
    ['cat < /etc/passwd', /leads out/],
    ['cat < ../x', /leads out/],
    ["cat < ''", /directory/],
    ['echo x > leaves', /symbolic link/],
    ['echo x >> climbs', /symbolic link/],
    ['echo x > up/x', /symbolic link/],
    ['echo x > inside', /symbolic link/],
    ['echo x > dangling', /symbolic link/],
    ['echo x > folder/file', /symbolic link/],
    ['echo x > fifo', /not a regular file/],
    ['echo x >> fifo', /not a regular file/],
    ['echo x > sub', /directory/],
    ['echo x > new/', /directory/],
    ['echo x > nowhere/x', /does not exist/],
    ['echo x > sub/file/x', /does not exist/],
    ['echo x > /tmpx/x', /leads out/],
    ['echo x > /dev/tty', /leads out/],
    ['echo x > /dev/../dev/null', /leads out/],
    ['echo x > .git/config', /git/],
    ['echo x > sub/.GIT/hooks', /git/],
  ];
  for (const [line, reason] of refused) {
    const result = await run(line);
    expect(result, line).toMatchObject({ exitCode: 1, output: expect.stringMatching(reason) });
    expect(result.output, line).not.toContain(folder);
  }
  expect(await run('cat < inside && cat < folder/file')).toMatchObject({ output: 'contentcontent' });
  expect(readFileSync(outside, 'utf8')).toBe('secret');
  expect(readFileSync(join(workspace, 'sub', 'file'), 'utf8')).toBe('content');
  expect(readdirSync(workspace).sort()).toEqual(['fifo', ...Object.keys(links), 'sub'].sort());
  // If the files of a command cannot be opened, the rest of its pipeline ends as in sh.
  expect(await run('yes | cat > leaves')).toMatchObject({ exitCode: 1 });
  expect(await run('cat < leaves | wc -c')).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^"cat": .* link\n0\n$|^0\n"cat": /),
  });
});

it('expands patterns to unusual names, one word each', async () => {
  const { sandbox, run } = await startTestSandbox();
  const names = [
    ...['a b', 'new\nline', '-rf', '--', '@list', '💡', '\uffee', 'é', '$(x)', '`x`', "'", '"', '*', '.dot'],
    ...['\\'],
  ];
  for (const name of names) await sandbox.writeFile(`odd/${name}`, Buffer.from(''));
  const expand = async (line: string, cwd = 'odd') => {
    const { output } = await run(`printf '%s\\0' ${line}`, cwd);
    return output.split('\0').slice(0, -1);
  };
  const visible = names.filter((name) => !name.startsWith('.'));
  const sorted = (all: string[]) => all.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const safe = (name: string) => (/^[-@]/.test(name) ? `./${name}` : name);
  expect(await expand('*')).toEqual(sorted(visible).map(safe));
  expect(await expand('odd/*', '')).toEqual(sorted(visible).map((name) => `odd/${name}`));
  expect(await expand('-*')).toEqual(['./--', './-rf']);
  expect(await expand('-*none')).toEqual(['-*none']);
  expect(await expand('?')).toEqual(sorted(['💡', '\uffee', 'é', "'", '"', '*', '\\']));
  expect(await expand('.*')).toEqual(['.dot']);
  expect(await expand("'*'*")).toEqual(['*']);
  expect(await expand('[[:space:]a]*')).toEqual(['a b']);
  expect(await expand('*[[:space:]]*')).toEqual(['a b', 'new\nline']);
  expect(await expand('[!a-z]')).toEqual(sorted(['💡', '\uffee', 'é', "'", '"', '*', '\\']));
  expect(await run('rm * && ls -A', 'odd')).toMatchObject({ output: '.dot\n' });
});

it('expands patterns only within the workspace, with limits', { timeout: 120_000 }, async () => {
  const { sandbox, workspace, run } = await startTestSandbox();
  symlinkSync('/', join(workspace, 'root'));
  symlinkSync('..', join(workspace, 'up'));
  mkdirSync(join(workspace, 'sub'));
  writeFileSync(join(workspace, 'sub', 'file'), '');
  const place = (await sandbox.run({ argv: ['pwd'] })).output.trim();
  for (const pattern of ['/*', '/etc/pass*', '../*', 'root/*', 'root/etc/pass*', 'up/*', '*/etc/passwd']) {
    expect(await run(`echo ${pattern}`), pattern).toMatchObject({ output: `${pattern}\n` });
  }
  expect(await run('echo */ ../*', 'sub')).toMatchObject({ output: '*/ ../root ../sub ../up\n' });
  expect(await run(`echo ${place}/s*`)).toMatchObject({ output: `${place}/sub\n` });
  const crowded = join(workspace, 'crowded');
  mkdirSync(crowded);
  for (let n = 0; n < 20_001; n += 1) writeFileSync(join(crowded, `${n}`), '');
  expect(await run('echo crowded/* > out || echo failed')).toMatchObject({
    output: '"echo": "crowded/*" matches more than 20000 files\nfailed\n',
  });
  expect(await run('echo crowded/1* > out && wc -w < out')).toMatchObject({ output: '11111\n' });
  const fails = (reason: RegExp) => ({ exitCode: 1, output: expect.stringMatching(reason) });
  const manyWords = Array.from({ length: 900 }, () => 'crowded/none*').join(' ');
  expect(await run(`echo ${manyWords}`)).toMatchObject(fails(/more than 200000 files/));
  expect(await run(`echo ${'*'.repeat(5000)}`)).toMatchObject(fails(/too long/));
});

it('reports a name that cannot be passed to a program', async () => {
  const { workspace, run } = await startTestSandbox();
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/odd-`), Buffer.from([0xff])]), '');
  writeFileSync(join(workspace, 'fine-\ufffd'), '');
  expect(await run('ls odd*')).toMatchObject({
    exitCode: 1,
    output: '"ls": "odd-\ufffd" has a name that is not valid UTF-8\n',
  });
  expect(await run('echo f*')).toMatchObject({ exitCode: 0, output: 'fine-\ufffd\n' });
});
