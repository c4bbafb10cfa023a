import type { Install } from '@fettle/agent';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { installDependencies } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import type { Work } from '../attempt/attempt.ts';

/** Install scripts run where both say so: the operator, and the repository on its base branch. */
export function allowedScripts({ config }: Work, { install }: RepositoryConfig): string[] {
  return install.scripts.filter((name) => config.installScripts.includes(name));
}

export function installLimits({ config, signal }: Work) {
  const { commandSeconds, commandOutputBytes } = config.toolLimits;
  return { timeoutMs: commandSeconds * 1000, maxOutputBytes: commandOutputBytes, signal };
}

/** What the tool install_dependencies calls. */
export function createInstall(work: Work, sandbox: Sandbox, config: RepositoryConfig): Install {
  const scripts = allowedScripts(work, config);
  return (request, limits) =>
    installDependencies({ sandbox, registry: work.registry, scripts, limits }, request);
}
