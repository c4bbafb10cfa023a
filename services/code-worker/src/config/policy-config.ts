/** The settings for commands: the mode, and the operator's policy file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandMode } from '@fettle/contract';
import { noPolicyFile, type PolicyFile, readPolicyFile } from '@fettle/contract/policy-file';
import { SettingsError } from '@fettle/settings';

interface CommandSettings {
  FETTLE_HOME: string;
  FETTLE_SANDBOX: string;
  FETTLE_COMMANDS?: CommandMode | undefined;
  FETTLE_POLICY_FILE?: string | undefined;
}

const maxLength = 1_000_000;

export function findCommandFlaw({ FETTLE_SANDBOX, FETTLE_COMMANDS }: CommandSettings): string | undefined {
  if (FETTLE_COMMANDS !== 'contained' || FETTLE_SANDBOX !== 'process') return undefined;
  return 'FETTLE_COMMANDS: contained gives the agent a shell, but FETTLE_SANDBOX=process does not isolate it; use strict, or a docker or bubblewrap sandbox';
}

/** A file that is unreadable or invalid aborts the start: ignoring it would lift its restrictions. */
export function loadPolicyFile(settings: CommandSettings): PolicyFile {
  const path = settings.FETTLE_POLICY_FILE ?? join(settings.FETTLE_HOME, 'policy.yml');
  const text = readText(path, { isOptional: settings.FETTLE_POLICY_FILE === undefined });
  if (text === undefined) return noPolicyFile;
  const reading = readPolicyFile(text);
  if (!reading.ok) throw new SettingsError(`${path}: ${reading.message}`);
  return reading.value;
}

function readText(path: string, { isOptional }: { isOptional: boolean }): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > maxLength) throw new SettingsError(`${path}: is larger than ${maxLength} characters`);
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isOptional && code === 'ENOENT') return undefined;
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`FETTLE_POLICY_FILE: cannot read ${path}: ${code}`);
  }
}
