/** The settings for what may be run: the mode, and the operator's own file of rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandMode } from '@fettle/contract';
import { noPolicyFile, type PolicyFile, readPolicyFile } from '@fettle/contract/policy-file';
import { SettingsError } from '@fettle/settings';

interface Given {
  FETTLE_HOME: string;
  FETTLE_SANDBOX: string;
  FETTLE_COMMANDS: CommandMode;
  FETTLE_POLICY_FILE?: string | undefined;
}

const maxLength = 1_000_000;

export function findCommandFlaw({ FETTLE_SANDBOX, FETTLE_COMMANDS }: Given): string | undefined {
  if (FETTLE_COMMANDS !== 'contained' || FETTLE_SANDBOX !== 'process') return undefined;
  return 'FETTLE_COMMANDS: contained gives the agent a shell, and FETTLE_SANDBOX=process contains nothing; use strict, or docker or bubblewrap';
}

/** A file that cannot be read or understood stops the start: rules that are not read would be rules that do not hold. */
export function loadPolicyFile(given: Given): PolicyFile {
  const path = given.FETTLE_POLICY_FILE ?? join(given.FETTLE_HOME, 'policy.yml');
  const text = readText(path, { mayBeAbsent: given.FETTLE_POLICY_FILE === undefined });
  if (text === undefined) return noPolicyFile;
  const reading = readPolicyFile(text);
  if (!reading.ok) throw new SettingsError(`${path}: ${reading.message}`);
  if (given.FETTLE_COMMANDS === 'contained' && reading.value.commands.length > 0)
    throw new SettingsError(
      `FETTLE_COMMANDS: contained leaves command lines to a shell, which the rules in ${path} cannot be held against; use strict, or take the rules out`,
    );
  return reading.value;
}

function readText(path: string, { mayBeAbsent }: { mayBeAbsent: boolean }): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > maxLength) throw new SettingsError(`${path}: is larger than a file of rules can be`);
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (mayBeAbsent && code === 'ENOENT') return undefined;
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`FETTLE_POLICY_FILE: cannot read ${path}: ${code}`);
  }
}
