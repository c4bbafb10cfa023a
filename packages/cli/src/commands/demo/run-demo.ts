import { join } from 'node:path';
import { readConversation, startRehearsal } from '@fettle/rehearsal';
import { type ExitCode, exitCodes } from '../../cli-error.ts';
import { type Config, readConfig } from '../../config.ts';
import { fettleCommand } from '../../process/fettle-command.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { createApiClient } from '../../server/api-client.ts';
import { readToken } from '../../server/find-server.ts';
import { waitForOutcome } from '../../server/wait-for-outcome.ts';
import { requireScanner } from '../../stack/require-scanner.ts';
import { bold, copyable, dim, green, red } from '../../view/line.ts';
import { quoteArgument } from '../../view/shell-quote.ts';
import { openTerminal, type Terminal } from '../../view/terminal.ts';
import { exitCodeOf } from '../run/run-result.ts';
import { type DemoPlace, makePlace } from './make-place.ts';
import { startDemoStack } from './start-demo-stack.ts';

const conversationFile = join(import.meta.dirname, 'conversation.json');
/** A pause before each answer of the model, so that people can read along. */
const readingPauseMs = 1_100;
const description = 'Splitting a bill loses cents: 100.00 among three people adds up to 99.99.';

/** Everything is real except the model, which replays a recording. */
export async function runDemo({ fast, color }: { fast?: boolean; color: boolean }): Promise<ExitCode> {
  const config = readConfig();
  const gitleaks = await requireScanner(config);
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  const terminal = openTerminal(process.stdout, { color });
  const place = await makePlace(config);
  terminal.print([
    [bold('fettle demo'), dim('  everything is real except the model, which replays a recording')],
    [dim('a small repository with a bug: '), copyable(place.repository)],
    [],
  ]);

  const conversations = [await readConversation(conversationFile)];
  const rehearsal = await startRehearsal({ conversations, latencyMs: fast ? 0 : readingPauseMs });
  try {
    return await play({ config, place, gitleaks, terminal, modelUrl: rehearsal.url, signal });
  } finally {
    await rehearsal.close();
    stopListening();
  }
}

interface Play {
  config: Config;
  place: DemoPlace;
  gitleaks: string;
  terminal: Terminal;
  modelUrl: string;
  signal: AbortSignal;
}

async function play({ config, place, gitleaks, terminal, modelUrl, signal }: Play): Promise<ExitCode> {
  terminal.setStatus('starting redis, api and worker');
  const { home, programs } = place;
  const starting = startDemoStack({ config, home, programs, gitleaks, modelUrl, signal });
  const stack = await starting.finally(() => terminal.setStatus(undefined));
  try {
    const token = readToken({ token: undefined, home: place.home });
    const client = createApiClient({ url: stack.url, token });
    const fettle = `FETTLE_HOME=${quoteArgument(place.home)} ${fettleCommand(config)}`;
    const request = { kind: 'fix', description, repository: place.repository } as const;
    const created = await client.create(request);
    const wait = { client, stack, operation: created, view: terminal, terminal, fettle, signal };
    const operation = await waitForOutcome(wait);
    if (signal.aborted) return exitCodes.interrupted;
    const { outcome } = operation;
    if (outcome?.kind !== 'proposal') return exitCodeOf(operation) || exitCodes.failed;
    const exists = (await place.git.branchLocal()).all.includes(outcome.branch);
    terminal.print([
      exists
        ? [green('✓ '), dim('the branch is in the repository, which is kept at '), copyable(place.repository)]
        : [red(`✗ the branch ${outcome.branch} is not in the repository`)],
    ]);
    return exists && !outcome.draft ? exitCodes.done : exitCodes.failed;
  } finally {
    await stack.stop();
  }
}
