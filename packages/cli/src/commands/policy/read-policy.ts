/** By which rules a question is answered: the built-in ones, the operator's file, and those of a repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noPolicyFile, type PolicyFile, readPolicyFile } from '@fettle/contract/policy-file';
import { type RepositoryConfig, readRepositoryConfig } from '@fettle/contract/repository-config';
import type { CommandLayer } from '@fettle/policy';
import { usageError } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { openFolderRoot } from '../init/folder-root.ts';

const configBytes = 64_000;

export interface AskedRules {
  layers: CommandLayer[];
  protectedPaths: string[];
}

export async function readPolicy({
  repo,
  organization,
}: {
  repo?: string;
  organization: string;
}): Promise<AskedRules> {
  const { commands, organizations } = readOperatorFile();
  const own = repo === undefined ? undefined : await readOwnRules(repo);
  const layers: CommandLayer[] = [
    { layer: 'operator', rules: commands },
    { layer: 'organization', rules: organizations[organization]?.commands ?? [] },
    { layer: 'repository', rules: own?.policy.rules ?? [] },
  ];
  return {
    layers: layers.filter(({ rules }) => rules.length > 0),
    protectedPaths: own?.protectedPaths ?? [],
  };
}

/** As the worker reads it at its start. */
function readOperatorFile(): PolicyFile {
  const { home, policyFile } = readConfig();
  const path = policyFile ?? join(home, 'policy.yml');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (policyFile === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return noPolicyFile;
    throw usageError(`${path} cannot be read: ${code}.`);
  }
  const reading = readPolicyFile(text);
  if (reading.ok) return reading.value;
  throw usageError(`${path}: ${reading.message}.`);
}

async function readOwnRules(folder: string): Promise<RepositoryConfig> {
  const root = await openFolderRoot(folder).catch(() => {
    throw usageError(`${folder} is not a folder that can be read.`);
  });
  const file = await root.read('.fettle/config.yml', configBytes);
  if (file && !('text' in file)) throw usageError(`${folder}/.fettle/config.yml is too large.`);
  const reading = readRepositoryConfig(file?.text ?? '');
  if (reading.ok) return reading.config;
  throw usageError(`${folder}/.fettle/config.yml: ${reading.message}.`);
}
