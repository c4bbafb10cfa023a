/** Examines which sandboxes work on this machine, and checks their isolation from inside. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BackendName,
  canLimitByCgroup,
  chooseBackend,
  readDiskLimit,
  type Sandbox,
} from '@fettle/sandbox';
import type { CliError } from '../../cli-error.ts';
import type { Config } from '../../config.ts';
import { canGoWithout } from '../../stack/embedded-broker.ts';
import { adviseOn } from '../../stack/sandbox-advice.ts';
import { findHomeFault } from '../../stack/unwritable-home.ts';
import { type BrokerAccess, withBroker } from '../../stack/with-broker.ts';
import type { Diagnosis } from './diagnosis.ts';
import { isolationProbes, kernelProbe } from './isolation-probes.ts';

/** Strongest first. `process` does not isolate and is never chosen automatically, so it is not examined. */
const backends = ['docker', 'bubblewrap'] as const;
type Isolating = (typeof backends)[number];

/** Container runtimes that share the kernel of the host. */
const hostKernelRuntimes = ['runc', 'crun', 'youki'];

const diskAdvice = 'For a hard limit, give the engine a file system with quotas (docs/operating/compose.md).';
const limitsAdvice =
  'Let Fettle create cgroups: run it as root, or as a user with delegated cgroups (systemd-run --user --scope). Or use docker.';
const processAdvice = 'Use it only for repositories that you trust.';

export async function examineSandboxes(config: Config): Promise<Diagnosis[]> {
  return withBroker({ ...config, sandbox: 'auto' }, new AbortController().signal, async (access) => {
    const diagnoses = await Promise.all(backends.map((name) => examineBackend(config, name, access)));
    const { missing } = access;
    if (config.sandbox === 'auto' && missing && !canGoWithout(config, missing))
      return [...diagnoses, summarizeRefusal(missing)];
    return [...diagnoses, summarize(config, diagnoses)];
  });
}

async function examineBackend(
  config: Config,
  name: Isolating,
  { broker, missing }: BrokerAccess,
): Promise<Diagnosis> {
  const title = `sandbox ${name}`;
  const homeError = findHomeFault(config.home);
  if (homeError)
    return {
      ...{ name: title, state: 'warning', advice: homeError.advice },
      message: `does not work: ${homeError.message}`,
    };
  const choice = await chooseBackend(name, {
    folder: join(config.home, 'sandboxes'),
    searchPath: config.searchPath,
    limits: config.sandboxLimits,
    readOnly: config.sandboxFolders,
    broker,
    brokerMissing: missing?.message,
  });
  if (!choice.ok) {
    const reason = choice.refusals.map((each) => each.reason).join('; ');
    const advice = adviseOn(name, reason);
    return { name: title, state: 'warning', message: `does not work: ${reason}`, advice };
  }
  const { failed, passed, kernel, weakness } = await inspect(choice.sandbox, config, broker).finally(() =>
    choice.sandbox.close(),
  );
  if (failed.length === 0) {
    const where = kernel === undefined ? '' : ` with its own kernel (${kernel})`;
    const works = `works${where}; ${passed} of ${passed} isolation checks passed`;
    if (weakness === undefined) return { name: title, state: 'ok', message: works };
    return { name: title, state: 'ok', message: `${works}; ${weakness.message}`, advice: weakness.advice };
  }
  const message = `isolation checks failed: it is not true that a command ${failed.join(', or ')}`;
  return { name: title, state: 'problem', message, advice: 'Do not use this sandbox. Please report this.' };
}

async function inspect(sandbox: Sandbox, config: Config, broker: BrokerAccess['broker']) {
  return { ...(await probe(sandbox, config)), weakness: await findWeakness(sandbox, broker) };
}

/** Returns a limit that cannot be enforced on this machine. */
async function findWeakness(
  { backend }: Sandbox,
  broker: BrokerAccess['broker'],
): Promise<Required<Pick<Diagnosis, 'message' | 'advice'>> | undefined> {
  if (backend === 'bubblewrap') {
    if (await canLimitByCgroup()) return undefined;
    const message = 'without cgroups the memory is only watched, and the CPU is not limited';
    return { message, advice: limitsAdvice };
  }
  if (!broker || (await readDiskLimit(broker)) !== 'soft') return undefined;
  const message = 'the disk limit is soft: it is watched, and deleted files that are still open do not count';
  return { message, advice: diskAdvice };
}

interface Probed {
  failed: string[];
  passed: number;
  /** The kernel of the sandbox, if it is not that of the host. */
  kernel: string | undefined;
}

async function probe(sandbox: Sandbox, config: Config): Promise<Probed> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-doctor-'));
  const canary = join(folder, 'canary');
  await writeFile(canary, 'canary', { mode: 0o644 });
  try {
    const ask = async (command: string) =>
      (await sandbox.run({ command, env: { CANARY: canary }, timeoutMs: 20_000 })).output.trim();
    const kernel = await findOwnKernel(ask, config);
    const probes = isolationProbes.filter(({ ofHostKernel }) => kernel === undefined || !ofHostKernel);
    const failed: string[] = [];
    for (const { name, command, passes } of probes) if (!passes(await ask(command))) failed.push(name);
    return { failed, passed: probes.length - failed.length, kernel };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A remote engine has another kernel too, so the configured runtime must also be one with its own kernel. */
async function findOwnKernel(
  ask: (command: string) => Promise<string>,
  { environment }: Config,
): Promise<string | undefined> {
  const runtime = environment.FETTLE_SANDBOX_RUNTIME;
  if (runtime === undefined || hostKernelRuntimes.includes(runtime)) return undefined;
  const kernel = await ask(kernelProbe);
  return kernel === '' || kernel === release() ? undefined : kernel;
}

function summarize({ sandbox }: Config, diagnoses: Diagnosis[]): Diagnosis {
  const name = 'sandbox';
  if (sandbox === 'process')
    return {
      ...{ name, state: 'warning', advice: processAdvice },
      message: 'process (FETTLE_SANDBOX): no isolation at all',
    };
  if (sandbox !== 'auto') return summarizeNamed(sandbox, diagnoses[backends.indexOf(sandbox)]);
  const strongest = backends.find((_, index) => diagnoses[index]?.state === 'ok');
  if (strongest) return { name, state: 'ok', message: `'auto' chooses ${strongest}` };
  return {
    ...{ name, state: 'problem', message: 'no isolating sandbox found; install bubblewrap or start Docker' },
    advice: 'Follow the advice above for one of them. FETTLE_SANDBOX=process runs without isolation.',
  };
}

/** A backend that FETTLE_SANDBOX names must work. */
function summarizeNamed(backend: BackendName, diagnosis: Diagnosis | undefined): Diagnosis {
  const message = `${backend} (FETTLE_SANDBOX)`;
  if (diagnosis?.state === 'ok') return { name: 'sandbox', state: 'ok', message };
  return { ...diagnosis, name: 'sandbox', state: 'problem', message: `${message} ${diagnosis?.message}` };
}

/** `auto` works without an engine, but not with an invalid setting. */
function summarizeRefusal({ message, advice }: CliError): Diagnosis {
  return { name: 'sandbox', state: 'problem', message: `'auto' cannot choose a sandbox: ${message}`, advice };
}
