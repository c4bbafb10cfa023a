import type { Install } from '@fettle/agent';
import type { RepositoryConfig } from '@fettle/contract/repository-config';
import { installDependencies } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import type { Attempt } from '../attempt/attempt.ts';

/** An install script runs only if both the operator and the repository's base branch allow it. */
export function allowedScripts({ config }: Pick<Attempt, 'config'>, { install }: RepositoryConfig): string[] {
  return install.scripts.filter((name) => config.installScripts.includes(name));
}

export function installLimits({ config, stop: { signal } }: Pick<Attempt, 'config' | 'stop'>) {
  const { checkSeconds, toolLimits } = config;
  return { timeoutMs: checkSeconds * 1000, maxOutputBytes: toolLimits.commandOutputBytes, signal };
}

/** The implementation of the tool install_dependencies. */
export function createInstall(
  attempt: Pick<Attempt, 'config' | 'sandboxes'>,
  sandbox: Sandbox,
  config: RepositoryConfig,
): Install {
  const { registry } = attempt.sandboxes;
  const scripts = allowedScripts(attempt, config);
  return (request, limits) => installDependencies({ sandbox, registry, scripts, limits }, request);
}
