/** Proves on this machine which sandboxes there are, and that they hold. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askWhetherHiddenCounts, type BackendName, chooseBackend, type Sandbox } from '@fettle/sandbox';
import type { CliError } from '../cli-error.ts';
import type { Config } from '../config.ts';
import { type BrokerLoan, withBroker } from '../sandbox/with-broker.ts';
import { canGoWithout } from '../stack/embedded-broker.ts';
import { boundaryProbes } from './boundary-probes.ts';
import type { Finding } from './finding.ts';
import { adviseOn } from './sandbox-advice.ts';

/** Strongest first; `process` is never chosen, so that it needs no proof. */
const backends = ['docker', 'bubblewrap'] as const;
type Isolating = (typeof backends)[number];

const HIDDEN_FILES_ADVICE =
  'Let the broker see the processes of sandboxes: run it as root on the engine’s machine, or as docker-compose.yml does; or give the engine a file system with quotas.';
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
  const { open, isDiskSeen } = await lookInto(choice.sandbox, broker).finally(() => choice.sandbox.close());
  const works = `works; ${boundaryProbes.length} checks from inside hold`;
  if (open.length === 0 && isDiskSeen) return { name: title, state: 'ok', message: works };
  if (open.length === 0)
    return {
      ...{ name: title, state: 'ok', advice: HIDDEN_FILES_ADVICE },
      message: `${works}; its broker cannot see files without a name, which do not count as disk`,
    };
  const message = `does not hold: it is not so that a command ${open.join(', or ')}`;
  return { name: title, state: 'problem', message, advice: 'Do not use it; please report this.' };
}

async function lookInto(sandbox: Sandbox, broker: BrokerLoan['broker']) {
  const open = await findGaps(sandbox);
  const counts =
    broker === undefined ||
    sandbox.backend !== 'docker' ||
    (await askWhetherHiddenCounts(broker, sandbox.id));
  return { open, isDiskSeen: counts !== false };
}

async function findGaps(sandbox: Sandbox): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-doctor-'));
  const canary = join(folder, 'canary');
  await writeFile(canary, 'canary', { mode: 0o644 });
  try {
    const gaps: string[] = [];
    for (const { name, command, holds } of boundaryProbes) {
      const { output } = await sandbox.run({ command, env: { CANARY: canary }, timeoutMs: 20_000 });
      if (!holds(output.trim())) gaps.push(name);
    }
    return gaps;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
