/** The policy allows every set-up command that discovery can find. */
import { noPolicyFile } from '@fettle/contract/policy-file';
import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { discover, type RepositoryRoot } from '@fettle/discovery';
import { judgeCommand } from '@fettle/policy';
import { expect, test } from 'vitest';
import { findRefusedSetup, judgeSetup } from '../act/command-policy.ts';
import type { Attempt } from '../attempt/attempt.ts';

const attempt = {
  claim: { organization: 'default' },
  config: { policyFile: noPolicyFile, commandMode: 'strict' },
} as unknown as Pick<Attempt, 'claim' | 'config'>;

const reading = readRepositoryConfig('');
if (!reading.ok) throw new Error(reading.message);
const { config } = reading;

function rootOf(files: Record<string, string>): RepositoryRoot {
  return {
    has: (name) => name in files,
    read: async (name) => (files[name] === undefined ? undefined : { text: files[name] }),
    paths: async () => Object.keys(files),
  };
}

const manifest = JSON.stringify({
  scripts: { test: 'x', lint: 'x' },
  devDependencies: { typescript: '1' },
});
const tools = { 'tsconfig.json': '{}' };
const python = { 'pytest.ini': '', 'ruff.toml': '', 'mypy.ini': '' };
const repositories: [string, Record<string, string>][] = [
  ['npm', { 'package.json': manifest, 'package-lock.json': '{}', ...tools }],
  ['pnpm', { 'package.json': manifest, 'pnpm-lock.yaml': '', ...tools }],
  ['yarn 1', { 'package.json': manifest, 'yarn.lock': '# yarn lockfile v1\n', ...tools }],
  ['yarn', { 'package.json': manifest, 'yarn.lock': '__metadata:\n', ...tools }],
  ['bun', { 'package.json': manifest, 'bun.lock': '{}', ...tools }],
  ['uv', { 'uv.lock': '', ...python }],
  ['poetry', { 'poetry.lock': '', ...python }],
  ['pip', { 'requirements.txt': 'a\n', 'requirements-dev.txt': 'b\n', ...python }],
  ['go', { 'go.mod': 'module x\n', 'go.sum': 'x\n' }],
];

test.each(repositories)('%s', async (_name, files) => {
  const { setup, commands: checks } = await discover(rootOf(files));
  expect(setup.length).toBeGreaterThan(0);
  const commands = setup.map(({ command }) => command);
  expect(findRefusedSetup(attempt, { ...config, setup: commands })).toBeUndefined();
  // The agent may run the checks itself.
  for (const { command } of Object.values(checks))
    expect(judgeCommand(command), command).toMatchObject({ decision: 'allow' });
});

test('a refusal names the command, the rule and an alternative', () => {
  const refused = findRefusedSetup(attempt, { ...config, setup: ['npm ci', 'make setup', 'bash setup.sh'] });
  expect(refused).toMatch(/^setup: bash setup\.sh: «bash»: .* \(rule program\)\. Instead: .*npm run, make/);
});

test('the rules of the repository apply to set-up too', () => {
  const policy = { rules: [{ program: 'npm', decision: 'deny' as const, reason: 'use pnpm' }] };
  expect(judgeSetup(attempt, { policy }, 'npm ci')).toMatchObject({
    decision: 'deny',
    rule: 'repository: npm',
  });
});
