/** Runs the set-up and the checks of a repository in a sandbox like the worker's, without a model. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CheckedRepository,
  checkRepository,
  findWithheld,
  nameWithheld,
  openMirrorRoot,
  readConfig,
  type WithheldFile,
} from '@fettle/check-run';
import { composeConfig, discover } from '@fettle/discovery';
import { readIgnoreFiles, syncMirror, withTreePack } from '@fettle/git';
import { offerRegistries, openRegistry } from '@fettle/registry';
import type { Sandbox } from '@fettle/sandbox';
import { type Equipment, equipSandbox, openToolchain } from '@fettle/toolchain';
import { exitCodes, usageError } from '../../cli-error.ts';
import { type Config, readConfig as readCliConfig } from '../../config.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { openChosenSandbox } from '../../stack/open-chosen-sandbox.ts';
import { findHomeFault } from '../../stack/unwritable-home.ts';
import { type BrokerAccess, withBroker } from '../../stack/with-broker.ts';
import { printJson } from '../../view/print-json.ts';
import { openTerminal } from '../../view/terminal.ts';
import { absoluteRepository } from '../run/local-repository.ts';
import { explainExecFailure } from '../sandbox/exec-failure.ts';
import { readCheckConfig } from './check-config.ts';
import { describeCheck } from './describe-check.ts';

export interface CheckCommandOptions {
  repo: string;
  timeout?: string;
  json?: boolean;
  color: boolean;
}

export interface CheckReport extends CheckedRepository {
  toolchain: Equipment['tools'];
  problems: string[];
  remarks: string[];
  /** A config with what was found. Undefined if the repository has one. */
  config: string | undefined;
}

export async function checkRepositoryCommand(options: CheckCommandOptions): Promise<number> {
  const config = readCliConfig();
  const homeError = findHomeFault(config.home);
  if (homeError) throw homeError;
  const timeoutMs = readTimeout(options.timeout);
  const source = absoluteRepository(options.repo);
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  try {
    const report = await withBroker(config, signal, (access) =>
      withMirror(source, signal, (tree) => check({ config, access, source, tree, timeoutMs, signal })),
    );
    print(report, options);
    return report.checks.some(({ status }) => status !== 'could_not_run') ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted;
    throw explainExecFailure(error, source);
  } finally {
    stopListening();
  }
}

interface Tree {
  mirror: string;
  commit: string;
  branch: string;
}

async function withMirror<T>(
  source: string,
  signal: AbortSignal,
  use: (tree: Tree) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-check-'));
  try {
    const mirror = join(folder, 'mirror.git');
    const { heads, defaultBranch: branch = '' } = await syncMirror({ mirror, source, signal });
    const commit = heads.get(branch);
    if (commit === undefined) throw usageError(`${source} has no commit yet.`);
    return await use({ mirror, commit, branch });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Checking {
  config: Config;
  access: BrokerAccess;
  source: string;
  tree: Tree;
  timeoutMs: number | undefined;
  signal: AbortSignal;
}

async function check({ config, access, source, tree, timeoutMs, signal }: Checking): Promise<CheckReport> {
  const { mirror, commit } = tree;
  const found = await readConfig(mirror, commit);
  if (!found.ok) throw usageError(`.fettle/config.yml: ${found.message}`);
  const settings = readCheckConfig(config);
  const registry = openRegistry(settings.registry);
  const toolchain = openToolchain(config.home, registry);
  const sandbox = await openChosenSandbox(config, access);
  try {
    const withheld = await findWithheld(mirror, commit);
    await bringTree(sandbox, tree, { replacements: withheld, signal });
    const root = await openMirrorRoot(mirror, commit);
    const { tools, problems } = await equipSandbox(toolchain, sandbox, { root, signal });
    await offerRegistries(sandbox, registry);
    const checked = await checkRepository(
      {
        ...{ sandbox, registry, problems, withheld: nameWithheld(withheld) },
        // A script runs only if both the operator and the repository allow it.
        scripts: found.config.install.scripts.filter((name) => settings.installScripts.includes(name)),
        limits: { ...settings, timeoutMs: timeoutMs ?? settings.timeoutMs, signal },
        onProgress: (line) => void process.stderr.write(`fettle: ${line}\n`),
      },
      found,
    );
    const { discovered, hasFile } = found;
    const proposed = discovered && !hasFile ? composeConfig(discovered) : undefined;
    const remarks = [...(discovered && !hasFile ? discovered : await discover(root)).remarks];
    if (!hasFile && existsSync(join(source, '.fettle', 'config.yml')))
      remarks.push('.fettle/config.yml is not committed, so it was not used');
    return { ...checked, toolchain: tools, problems, remarks, config: proposed };
  } finally {
    await sandbox.close();
  }
}

async function bringTree(
  sandbox: Sandbox,
  { mirror, commit, branch }: Tree,
  options: { replacements: WithheldFile[]; signal: AbortSignal },
) {
  const baseIgnores = await readIgnoreFiles(mirror, commit);
  await withTreePack(mirror, commit, options, (pack) =>
    sandbox.receiveTree({ pack, commit: pack.commit, branch, baseIgnores }),
  );
}

function print(report: CheckReport, options: CheckCommandOptions): void {
  const { setup, checks, toolchain, problems, remarks } = report;
  if (options.json) printJson({ setup, checks, toolchain, remarks: [...problems, ...remarks] });
  else openTerminal(process.stdout, options).print(describeCheck(report));
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw usageError(`--timeout takes whole seconds from 1 to 999999, not '${text}'.`);
  return Number(text) * 1000;
}
