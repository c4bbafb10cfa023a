import { noPolicyFile, type PolicyFile, readPolicyFile } from '@fettle/contract/policy-file';
import { readRepositoryConfig } from '@fettle/contract/repository-config';
import { expect, test } from 'vitest';
import { commandModeOf } from './command-policy.ts';

type Mode = 'strict' | 'contained';

function modeOf(options: { backend?: string; asked?: Mode; operator?: string; repository?: string } = {}) {
  const { backend = 'bubblewrap', asked, operator = '', repository = '' } = options;
  const reading = readRepositoryConfig(repository);
  if (!reading.ok) throw new Error(reading.message);
  const scope = {
    claim: { organization: 'default' },
    config: { commandMode: asked, policyFile: policyFileOf(operator) },
  };
  return commandModeOf(scope, reading.config, backend);
}

function policyFileOf(text: string): PolicyFile {
  if (text === '') return noPolicyFile;
  const reading = readPolicyFile(text);
  if (!reading.ok) throw new Error(reading.message);
  return reading.value;
}

const rule = '{ program: tree, reason: too much to read }';

test('contained is the default where the sandbox isolates', () => {
  expect(modeOf()).toBe('contained');
  expect(modeOf({ backend: 'docker' })).toBe('contained');
  expect(modeOf({ backend: 'process' })).toBe('strict');
  expect(modeOf({ backend: 'process', asked: 'contained' })).toBe('strict');
});

test('a layer that asks for strict gets strict', () => {
  expect(modeOf({ asked: 'strict' })).toBe('strict');
  expect(modeOf({ repository: 'policy: { commands: strict }' })).toBe('strict');
});

test('a layer with rules selects strict, even where another layer asks for contained', () => {
  const asked = 'contained' as const;
  expect(modeOf({ asked, operator: `commands: [${rule}]` })).toBe('strict');
  expect(modeOf({ asked, operator: `organizations: { default: { commands: [${rule}] } }` })).toBe('strict');
  expect(modeOf({ asked, operator: `organizations: { other: { commands: [${rule}] } }` })).toBe('contained');
  expect(modeOf({ asked, repository: `policy: { rules: [${rule}] }` })).toBe('strict');
});
