/** Command lines of the model over a real toolbox: what runs, which rule allows it, and the message of a denial. */
import {
  type CommandLayer,
  createPathJudge,
  judgeCommand,
  judgeContained,
  toOperandJudge,
} from '@fettle/policy';
import { expect, test } from 'vitest';
import { callTool } from '../calls/call-tool.ts';
import { noHooks } from '../calls/hooks.ts';
import type { CommandPolicy } from '../calls/judge-call.ts';
import { noSecretTokens } from '../calls/place-secrets.ts';
import { contextOf, openStage } from '../testing/stage.ts';
import { toolsFor } from './tool-set.ts';

const { sandbox } = await openStage();
await sandbox.writeFile('package.json', Buffer.from('{ "name": "x" }\n'));
await sandbox.writeFile('src/a.ts', Buffer.from('one\ntwo\nthree\n'));

const judgePath = createPathJudge({ protectedPaths: ['locked/**'] });
const layers: CommandLayer[] = [
  {
    layer: 'operator',
    rules: [
      { program: 'touch', decision: 'approve', reason: 'a person looks at new files' },
      { program: 'mv', reason: 'nothing is moved here', instead: 'use cp' },
    ],
  },
];
const strict: CommandPolicy = {
  mode: 'strict',
  judge: (line) => judgeCommand(line, { layers, judgePath: toOperandJudge(judgePath) }),
};

type Refused = { path: string; reason: string };

async function run(command: string, commandPolicy = strict, more: Refused[] = []) {
  const { result } = await callTool(
    { tool: 'run_command', input: { command } },
    {
      tools: toolsFor('fix', commandPolicy.mode),
      context: contextOf(sandbox),
      mask: (text) => text.replaceAll('hunter2', '[masked]'),
      hooks: noHooks,
      secrets: noSecretTokens,
      judgePath,
      commandPolicy,
      saveChanges: async () => ({
        changed: [],
        refused: [
          {
            path: '.env',
            reason: 'it holds credentials (rule environment-file).',
            by: { rule: 'environment-file', token: '.env', reason: 'it holds credentials' },
          },
          { path: 'a\0b', reason: 'no name' },
          ...more,
        ],
      }),
    },
  );
  return result;
}

test.each([
  ["sed -n '2,3p' src/a.ts", 'two\nthree', ['sed']],
  ['ls src && cat package.json', 'a.ts\n{ "name": "x" }', ['ls', 'cat']],
  ['cd src && grep -n two *.ts | head -1', '2:two', ['cd', 'grep', 'head']],
  ['cat missing.txt 2>/dev/null || true', '', ['cat', 'true']],
  ['cat missing.txt 2>&1 | wc -l', '1', ['cat', 'wc']],
  ['NODE_ENV=test node --version > version.txt; wc -l < version.txt', '1', ['node', 'wc']],
  ['test -f package.json && echo yes || echo no', 'yes', ['test', 'echo']],
  ["cat > n.md <<'EOF' && wc -l < n.md\n$x `y`\nz\nEOF", '2', ['cat', 'wc']],
  ["node - <<'EOF' | cat\nconsole.log(7)\nEOF", '7', ['node', 'cat']],
  ['node -p "6 * 7"', '42', ['node']],
])('%s runs, and the result names the rules', async (line, output, rules) => {
  const result = await run(line);
  expect(result).toMatchObject({ status: 'ok', rules });
  expect(result.output).toMatch(new RegExp(`^${RegExp.escape(output)}\n?\\(exit code 0\\)`));
});

test.each([
  ['cat <<EOF\n$x\nEOF', '<<EOF', 'shell/here-document', /write_file/],
  ['ls && cat /etc/passwd', '/etc/passwd', 'path/absolute', /workspace/],
  ['echo $HOME', '$HOME', 'shell/variable', /write the value/],
  ['npm install left-pad', 'install', 'npm install', /install_dependencies/],
  ['echo x > locked/a', 'locked/a', 'locked/**', /./],
  ['mv a b', 'mv', 'operator: mv', /use cp/],
])('%s does not run, and the model sees the reason', async (line, token, rule, instead) => {
  const result = await run(line);
  const [denial, ...others] = result.denials ?? [];
  expect(denial).toMatchObject({ kind: 'command', subject: line, token, rule });
  expect(denial?.instead).toMatch(instead);
  expect(others).toEqual([]);
  expect(result).toMatchObject({ status: 'denied', programMs: 0 });
  expect(result.output).toContain(`«${token}»`);
  expect(result.output).toContain(`(rule ${rule})`);
  expect(result.output).toContain(denial?.instead);
  expect(result).not.toHaveProperty('rules');
});

test('a command with a remark runs, and the remark is in the result', async () => {
  expect(await run('touch new.txt')).toMatchObject({
    status: 'ok',
    rules: ['touch'],
    remarks: [{ rule: 'operator: touch', token: 'touch', reason: 'a person looks at new files' }],
  });
  await expect(sandbox.readFile('new.txt')).resolves.toBeDefined();
});

test('denials of files name the rule', async () => {
  expect((await run('ls')).denials).toEqual([
    {
      kind: 'file',
      subject: '.env',
      token: '.env',
      rule: 'environment-file',
      reason: 'it holds credentials',
    },
    { kind: 'file', subject: 'a\0b', token: 'a\0b', rule: 'sandbox', reason: 'no name' },
  ]);
});

test('a denial contains no secrets', async () => {
  const result = await run('curl -u hunter2 x');
  expect(result.status).toBe('denied');
  expect(JSON.stringify(result)).not.toContain('hunter2');
});

test('a denial is masked before it is cut', async () => {
  const { denials } = await run('ls', strict, [{ path: `${'x'.repeat(296)}hunter2`, reason: 'no' }]);
  expect(denials?.at(-1)?.token).toBe(`${'x'.repeat(296)}[mas`);
});

const contained: CommandPolicy = {
  mode: 'contained',
  judge: (line) => judgeContained(line, { judgePath: toOperandJudge(judgePath) }),
};

test('in contained mode bash runs the line unchanged, and the record says what strict would do', async () => {
  // A list is known to bash, and not to sh.
  const result = await run('x=(a b); set -- "$x"; echo "got $# $1 $(ls src)"', contained);
  expect(result).toMatchObject({
    status: 'ok',
    output: expect.stringContaining('got 1 a a.ts'),
    rules: ['contained, strict denies: shell/no-command'],
  });
  expect(await run('ls src', contained)).toMatchObject({ status: 'ok', rules: ['ls'] });
  expect(await run('false || exit 7', contained)).toMatchObject({
    output: expect.stringContaining('(exit code 7)'),
  });
});

test.each([
  ['cd src && curl -s https://example.com', 'contained/network', /install_dependencies/],
  ['for p in a b; do npm install $p; done', 'contained/install', /install_dependencies/],
  ['git push origin main', 'contained/git-remote', /leave it out/],
  ['npm publish', 'contained/publish', /Fettle proposes/],
  ['echo A=1 > .env', 'environment-file', /./],
  ['echo a\u200bb', 'shell/invisible-character', /leave it out/],
])('in contained mode %s is refused at once, with advice', async (line, rule, instead) => {
  const result = await run(line, contained);
  expect(result).toMatchObject({ status: 'denied', programMs: 0, denials: [{ kind: 'command', rule }] });
  expect(result.denials?.[0]?.instead).toMatch(instead);
});

test('package managers know that there is no network', async () => {
  const shown = await run('echo $npm_config_fetch_retries $PIP_NO_INDEX', contained);
  expect(shown.output).toMatch(/^0 1\n/);
});

test('the description tells the model how its command lines run', () => {
  const describe = (mode: 'strict' | 'contained') =>
    toolsFor('fix', mode).find(({ name }) => name === 'run_command')?.description;
  expect(describe('strict')).toMatch(/No shell is involved/);
  expect(describe('contained')).toContain('with bash');
  expect(describe('contained')).toContain('/tmp is a scratch folder');
});
