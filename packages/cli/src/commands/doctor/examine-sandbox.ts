/** Proves on this machine which sandboxes there are, and that they hold. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  askWhetherHiddenCounts,
  type BackendName,
  canHoldLimits,
  chooseBackend,
  type Sandbox,
} from '@fettle/sandbox';
import type { CliError } from '../../cli-error.ts';
import type { Config } from '../../config.ts';
import { canGoWithout } from '../../stack/embedded-broker.ts';
import { adviseOn } from '../../stack/sandbox-advice.ts';
import { findHomeFault } from '../../stack/unwritable-home.ts';
import { type BrokerLoan, withBroker } from '../../stack/with-broker.ts';
import type { Finding } from './diagnosis.ts';
import { boundaryProbes, kernelProbe } from './isolation-probes.ts';

/** Strongest first; `process` is never chosen, so that it needs no proof. */
const backends = ['docker', 'bubblewrap'] as const;
type Isolating = (typeof backends)[number];

/** Those that share this machine's kernel. */
const plainRuntimes = ['runc', 'crun', 'youki'];

const HIDDEN_FILES_ADVICE =
  'Let the broker see the processes of sandboxes: run it as root on the engine’s machine, or as docker-compose.yml does; or give the engine a file system with quotas.';
const LIMITS_ADVICE =
  'Let Fettle make control groups: run it as root, or by a user to whom systemd hands them down (systemd-run --user --scope); or use docker.';
const PROCESS_ADVICE = 'Let Fettle work on repositories that you trust only.';

export async function examineSandboxes(config: Config): Promise<Finding[]> {
  return withBroker({ ...config, sandbox: 'auto' }, new AbortController().signal, async (loan) => {
    const findings = await Promise.all(backends.map((name) => examineBackend(config, name, loan)));
    const { missing } = loan;
    if (config.sandbox === 'auto' && missing && !canGoWithout(config, missing))
      return [...findings, summarizeRefusal(missing)];
    return [...findings, summarize(config, findings)];
  });
}

async function examineBackend(
  config: Config,
  name: Isolating,
  { broker, missing }: BrokerLoan,
): Promise<Finding> {
  const title = `sandbox ${name}`;
  const fault = findHomeFault(config.home);
  if (fault)
    return {
      ...{ name: title, state: 'warning', advice: fault.advice },
      message: `does not work: ${fault.message}`,
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
  const { gaps, held, kernel, weakness } = await lookInto(choice.sandbox, config, broker).finally(() =>
    choice.sandbox.close(),
  );
  if (gaps.length === 0) {
    const where = kernel === undefined ? '' : ` on a kernel of its own (${kernel})`;
    const works = `works${where}; ${held} checks from inside hold`;
    if (weakness === undefined) return { name: title, state: 'ok', message: works };
    return { name: title, state: 'ok', message: `${works}; ${weakness.message}`, advice: weakness.advice };
  }
  const message = `does not hold: it is not so that a command ${gaps.join(', or ')}`;
  return { name: title, state: 'problem', message, advice: 'Do not use it; please report this.' };
}

async function lookInto(sandbox: Sandbox, config: Config, broker: BrokerLoan['broker']) {
  return { ...(await probe(sandbox, config)), weakness: await findWeakness(sandbox, broker) };
}

/** What this machine does not let it hold as hard as elsewhere. */
async function findWeakness(
  { backend, id }: Sandbox,
  broker: BrokerLoan['broker'],
): Promise<Required<Pick<Finding, 'message' | 'advice'>> | undefined> {
  if (backend === 'bubblewrap') {
    if (await canHoldLimits()) return undefined;
    const message = 'without control groups its memory is only watched, and its processors are not limited';
    return { message, advice: LIMITS_ADVICE };
  }
  if (!broker || (await askWhetherHiddenCounts(broker, id)) !== false) return undefined;
  const message = 'its broker cannot see files without a name, which do not count as disk';
  return { message, advice: HIDDEN_FILES_ADVICE };
}

interface Probed {
  /** What does not hold. */
  gaps: string[];
  held: number;
  /** The kernel inside, where it is not this machine's. */
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
    const probes = boundaryProbes.filter(({ ofThisKernel }) => kernel === undefined || !ofThisKernel);
    const gaps: string[] = [];
    for (const { name, command, holds } of probes) if (!holds(await ask(command))) gaps.push(name);
    return { gaps, held: probes.length - gaps.length, kernel };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By its name alone a remote engine's kernel would look the same: a runtime that brings one has to be named as well. */
async function findOwnKernel(
  ask: (command: string) => Promise<string>,
  { environment }: Config,
): Promise<string | undefined> {
  const runtime = environment.FETTLE_SANDBOX_RUNTIME;
  if (runtime === undefined || plainRuntimes.includes(runtime)) return undefined;
  const kernel = await ask(kernelProbe);
  return kernel === '' || kernel === release() ? undefined : kernel;
}

function summarize({ sandbox }: Config, findings: Finding[]): Finding {
  const name = 'sandbox';
  if (sandbox === 'process')
    return {
      ...{ name, state: 'warning', advice: PROCESS_ADVICE },
      message: 'process, as FETTLE_SANDBOX says: no isolation at all',
    };
  if (sandbox !== 'auto') return summarizeNamed(sandbox, findings[backends.indexOf(sandbox)]);
  const strongest = backends.find((_, index) => findings[index]?.state === 'ok');
  if (strongest) return { name, state: 'ok', message: `'auto' takes ${strongest}` };
  return {
    ...{ name, state: 'problem', message: "'auto' finds none that isolates, and takes no other" },
    advice: 'Follow the advice for one of them; FETTLE_SANDBOX=process goes without any isolation.',
  };
}

/** Where one is named, no other will do. */
function summarizeNamed(backend: BackendName, finding: Finding | undefined): Finding {
  const message = `${backend}, as FETTLE_SANDBOX says`;
  if (finding?.state === 'ok') return { name: 'sandbox', state: 'ok', message };
  return { ...finding, name: 'sandbox', state: 'problem', message: `${message}, ${finding?.message}` };
}

/** `auto` goes on without an engine, and stops at a wrong setting. */
function summarizeRefusal({ message, advice }: CliError): Finding {
  return { name: 'sandbox', state: 'problem', message: `'auto' takes none: ${message}`, advice };
}
