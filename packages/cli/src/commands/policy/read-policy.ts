/** Collects the rules that apply besides the built-in ones: of the operator, the organization and the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noPolicyFile, type PolicyFile, readPolicyFile } from '@fettle/contract/policy-file';
import { type RepositoryConfig, readRepositoryConfig } from '@fettle/contract/repository-config';
import type { CommandLayer } from '@fettle/policy';
import { usageError } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { openFolderRoot } from '../init/folder-root.ts';

const configBytes = 64_000;

export interface PolicyRules {
  layers: CommandLayer[];
  protectedPaths: string[];
}

export async function readPolicy({
  repo,
  organization,
}: {
  repo?: string;
  organization: string;
}): Promise<PolicyRules> {
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

/** The worker reads the same file when it starts. */
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
    throw usageError(`${folder} is not a readable folder.`);
  });
  const file = await root.read('.fettle/config.yml', configBytes);
  if (file && !('text' in file)) throw usageError(`${folder}/.fettle/config.yml is too large.`);
  const reading = readRepositoryConfig(file?.text ?? '');
  if (reading.ok) return reading.config;
  throw usageError(`${folder}/.fettle/config.yml: ${reading.message}.`);
}
