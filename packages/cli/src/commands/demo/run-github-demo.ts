/** The demo with GitHub: a comment becomes a pull request, a failed check is repaired, a review changes it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation } from '@fettle/contract';
import type { FakeGithub, IssueAddress } from '@fettle/fake-github';
import { call, conversation, readConversation, say, startRehearsal, turn } from '@fettle/rehearsal';
import { type ExitCode, exitCodes } from '../../cli-error.ts';
import { readConfig } from '../../config.ts';
import { listenForInterrupts } from '../../process/interrupts.ts';
import { type ApiClient, createApiClient } from '../../server/api-client.ts';
import { readToken } from '../../server/find-server.ts';
import { requireScanner } from '../../stack/require-scanner.ts';
import type { Stack } from '../../stack/start-stack.ts';
import { bold, copyable, dim, green } from '../../view/line.ts';
import { openTerminal, type Terminal } from '../../view/terminal.ts';
import { makePlace } from './make-place.ts';
import { startDemoStack } from './start-demo-stack.ts';

const repository = 'lima/shared-expenses';
const comment = { path: 'src/split-bill.ts', line: 9, body: 'Say that this holds for refunds too, please.' };
const pauseMs = 700;
const waitMs = 3 * 60_000;

export async function runGithubDemo({
  fast = false,
  color,
}: {
  fast?: boolean;
  color: boolean;
}): Promise<ExitCode> {
  const config = readConfig();
  const gitleaks = await requireScanner(config);
  const { signal, stopListening } = listenForInterrupts({ reader: true });
  const terminal = openTerminal(process.stdout, { color });
  const place = await makePlace(config);
  const { startFakeGithub } = await import('@fettle/fake-github');
  const secret = randomBytes(16).toString('hex');
  const github = await startFakeGithub({
    users: ['ana', 'ben'],
    organizations: ['lima'],
    repositories: [{ name: repository, copyOf: place.repository, roles: { ana: 'admin', ben: 'write' } }],
    app: { name: 'Fettle', installedFor: ['lima'], hook: { secret } },
  });
  const conversations = [await readTurns(), reviewer];
  const rehearsal = await startRehearsal({ conversations, latencyMs: fast ? 0 : pauseMs });
  let stack: Stack | undefined;
  try {
    terminal.print([
      [
        bold('fettle demo --github'),
        dim('  GitHub is a simulation on this machine; HTTP, git and checks are real'),
      ],
      [dim('its pages: '), copyable(`${github.url}/${repository}`)],
      [],
    ]);
    terminal.setStatus('starting redis, api and worker');
    stack = await startDemoStack({
      ...{ config, home: place.home, programs: place.programs, gitleaks, modelUrl: rehearsal.url, signal },
      settings: settingsFor(github, secret),
    });
    const client = createApiClient({
      url: stack.url,
      token: readToken({ token: undefined, home: place.home }),
    });
    const pull = await play({ github, client, stack, terminal, signal });
    terminal.setStatus(undefined);
    if (pull === undefined) return exitCodes.interrupted;
    terminal.print([
      [],
      [green('✓ '), 'the pull request: ', copyable(`${github.url}/${repository}/pull/${pull.number}`)],
    ]);
    if (!fast && process.stdout.isTTY) await holdOpen(terminal, signal);
    return exitCodes.done;
  } finally {
    terminal.setStatus(undefined);
    await stack?.stop();
    await rehearsal.close();
    await github.close();
    stopListening();
  }
}

async function holdOpen(terminal: Terminal, signal: AbortSignal): Promise<void> {
  terminal.print([[dim('Press Ctrl-C to end the demo and its pages.')]]);
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function settingsFor({ app, url, apiUrl }: FakeGithub, secret: string): Record<string, string> {
  if (!app) throw new Error('the simulated GitHub has no App');
  return {
    GITHUB_APP_ID: String(app.app.id),
    GITHUB_APP_PRIVATE_KEY: app.privateKey,
    GITHUB_WEBHOOK_SECRET: secret,
    GITHUB_URL: url,
    GITHUB_API_URL: apiUrl,
    GITHUB_COLLECT_SECONDS: '1',
  };
}

/** The recording of the demo, with what follows on GitHub. */
async function readTurns() {
  const recorded = await readConversation(join(import.meta.dirname, 'conversation.json'));
  const entry = '# Changes\n\n- Bills are split to the cent.\n';
  const old = 'take what is left. */';
  const edits = [{ old, new: 'take what is left, of refunds too. */' }];
  const more = [
    turn(call('write_file', { path: 'CHANGELOG.md', content: entry })),
    turn(say('Add an entry to the changelog\n\nThe check asks for one.')),
    turn(call('edit_file', { path: comment.path, edits })),
    turn(say('Mention refunds\n\nAs requested in the review.')),
  ];
  return { ...recorded, turns: [...recorded.turns, ...more] };
}

const reviewer = {
  ...conversation(
    'reviewer',
    Array.from({ length: 3 }, () => turn(call('report_findings', { findings: [] }))),
    {
      match: { pattern: '^Review this change' },
    },
  ),
  agent: 'reviewer' as const,
};

interface Play {
  github: FakeGithub;
  client: ApiClient;
  stack: Stack;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Returns the pull request, or undefined after an interrupt. */
async function play({ github, client, stack, terminal, signal }: Play): Promise<IssueAddress | undefined> {
  const { app } = github;
  if (app) app.app.hook.url = `${stack.url}/v1/github/webhooks`;
  const [ana, ben] = [github.as('ana'), github.as('ben')];
  const tell = (who: string, what: string) => terminal.print([[bold(who), ` ${what}`]]);
  const propose = async (revision: number, status: string) => {
    terminal.setStatus(status);
    const operation = await untilProposed({ client, stack, signal }, revision);
    terminal.setStatus(undefined);
    return operation?.outcome?.kind === 'proposal' ? operation.outcome : undefined;
  };

  const body = 'Splitting a bill loses cents: 100.00 among three people adds up to 99.99.';
  const issue = ana.openIssue(repository, { title: 'Splitting a bill loses cents', body });
  tell('ana', `opens issue #${issue.number}: Splitting a bill loses cents`);
  ben.comment(issue, '/fix split the bill to the cent');
  tell('ben', 'comments: /fix split the bill to the cent');
  const first = await propose(1, 'Fettle works on the issue');
  if (!first) return undefined;
  const pull = { repository, number: first.pullRequest.number };
  tell('Fettle', `opens pull request #${pull.number}: ${first.pullRequest.title}`);

  const log = 'CHANGELOG.md: this change has no entry\n';
  await ana.completeCheck(repository, {
    on: first.headCommit,
    name: 'changelog',
    conclusion: 'failure',
    log,
  });
  tell('CI', 'reports that the check changelog failed');
  const second = await propose(2, 'Fettle repairs the check');
  if (!second) return undefined;
  await ana.completeCheck(repository, { on: second.headCommit, name: 'changelog', conclusion: 'success' });
  tell('Fettle', `pushes ${second.headCommit.slice(0, 7)}, and the check passes`);

  await ben.review(pull, { event: 'REQUEST_CHANGES', body: '', comments: [comment] });
  tell('ben', `requests a change: ${comment.body}`);
  const third = await propose(3, 'Fettle makes the change');
  if (!third) return undefined;
  if (third.headCommit === second.headCommit) throw new Error('the review changed nothing');
  terminal.setStatus('Fettle answers the review');
  const isAnswered = await until({ stack, signal }, async () => countAnswers(github, pull) > 0 || undefined);
  if (!isAnswered) return undefined;
  tell('Fettle', `pushes ${third.headCommit.slice(0, 7)}, answers the review and resolves its thread`);
  return pull;
}

function countAnswers(github: FakeGithub, { number }: IssueAddress): number {
  return github.repository(repository).issues.get(number)?.pull?.resolvedThreads.size ?? 0;
}

function untilProposed(
  { client, ...waiting }: Pick<Play, 'client' | 'signal' | 'stack'>,
  revision: number,
): Promise<Operation | undefined> {
  return until(waiting, async () => {
    const [operation] = (await client.list({})).operations;
    const isSettled = operation?.state === 'awaiting_approval' || operation?.state === 'failed';
    return isSettled && operation.revision === revision ? operation : undefined;
  });
}

/** Returns undefined after an interrupt. */
async function until<T>(
  { stack, signal }: Pick<Play, 'signal' | 'stack'>,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + waitMs;
  const failed = stack.failed.then((error) => {
    throw error;
  });
  while (!signal.aborted && performance.now() < end) {
    const found = await Promise.race([look(), failed]);
    if (found !== undefined) return found;
    await Promise.race([delay(200), failed]);
  }
  if (signal.aborted) return undefined;
  throw new Error('the demo did not get any further');
}
