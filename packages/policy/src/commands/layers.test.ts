import { commandRulesSchema } from '@fettle/contract';
import { describe, expect, test } from 'vitest';
import { judgeCommand } from './judge-command.ts';
import type { CommandLayer } from './layers.ts';

const operator: CommandLayer = {
  layer: 'operator',
  rules: [
    { program: 'rm', flag: ['-r', '--recursive'], reason: 'folders stay', instead: 'rm with names' },
    { program: 'git', subcommand: 'commit', decision: 'approve', reason: 'a person looks at commits' },
    { program: 'git', subcommand: 'log', flag: '-p', reason: 'short logs' },
  ],
};
const repository: CommandLayer = {
  layer: 'repository',
  rules: [
    { program: 'eslint', reason: 'use biome' },
    { program: 'git', subcommand: 'stash pop', reason: 'no stash here' },
  ],
};

describe('layers', () => {
  test.each([
    ['rm a.ts', 'allow', undefined],
    ['rm -rf dist', 'deny', 'operator: rm -r'],
    ['ls && rm -fr dist', 'deny', 'operator: rm -r'],
    ['rm --recursive dist', 'deny', 'operator: rm --recursive'],
    ['git log -p', 'deny', 'operator: git log -p'],
    ['git status', 'allow', undefined],
    ['git commit -m x', 'approve', 'operator: git commit'],
    ['git commit -m x && rm -r a', 'deny', 'operator: rm -r'],
    ['eslint .', 'deny', 'repository: eslint'],
    ['npx eslint .', 'deny', 'repository: eslint'],
    ['pnpm exec eslint .', 'deny', 'repository: eslint'],
    ['git stash pop', 'deny', 'repository: git stash pop'],
    ['id', 'deny', 'program'],
  ])('%s: %s', (line, decision, rule) => {
    for (const layers of [
      [operator, repository],
      [repository, operator],
    ]) {
      expect(judgeCommand(line, { layers })).toMatchObject({ decision, ...(rule !== undefined && { rule }) });
    }
  });

  test('the strictest of several rules holds', () => {
    const asks: CommandLayer = {
      layer: 'repository',
      rules: [{ program: 'rm', decision: 'approve', reason: 'ask' }],
    };
    expect(judgeCommand('rm -r a', { layers: [asks, operator] })).toMatchObject({ decision: 'deny' });
    expect(judgeCommand('rm a', { layers: [asks, operator] })).toMatchObject({ decision: 'approve' });
  });

  test('a layer can say nothing but deny and approve', () => {
    const allows = [{ program: 'curl', decision: 'allow', reason: 'x' }];
    expect(commandRulesSchema.safeParse(allows).success).toBe(false);
    expect(commandRulesSchema.safeParse(operator.rules).success).toBe(true);
  });
});
