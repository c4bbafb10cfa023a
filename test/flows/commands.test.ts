/** The agent's command lines on the whole way: what runs by which rule, what is denied and by whom, and what people see of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DenialReport, Event } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runFettle } from '../../packages/cli/src/testing/run-fettle.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { brokenSum, makeRepository } from '../support/repository.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';

const mend = turn(call('edit_file', { path: 'sum.mjs', edits: [{ old: 'a - b', new: 'a + b' }] }));
const finish = turn(say('Mended the sum'));
const run = (command: string) => turn(call('run_command', { command }));
const shellLine = 'for f in *.mjs; do echo "seen $f"; done';

function commandsOf(events: Event[]) {
  return events.flatMap((event) =>
    event.type === 'part.finished' && event.part.kind === 'tool' && event.part.tool === 'run_command'
      ? [event.part]
      : [],
  );
}

function repositoryWith(config: object) {
  const text = JSON.stringify({ commands: { test: 'node --test' }, ...config });
  const repository = makeRepository({ ...brokenSum, '.fettle/config.yml': text });
  onTestFinished(() => repository.remove());
  return repository;
}

async function start(options: Parameters<typeof startPlatform>[0]): Promise<Platform> {
  const platform = await startPlatform(options);
  onTestFinished(() => platform.close());
  return platform;
}

const policy = {
  commands: [
    { program: 'git', subcommand: 'stash', reason: 'nothing is put aside', instead: 'use git restore' },
    { program: 'git', subcommand: 'commit', decision: 'approve', reason: 'a person looks at commits' },
  ],
  organizations: {
    default: { commands: [{ program: 'touch', reason: 'no empty files' }] },
    other: { commands: [{ program: 'cat', reason: 'not here' }] },
  },
};

test('layers intersect; what is denied is on record and can be counted; what a person is to see is shown', async () => {
  const lines = [
    'git stash',
    'touch x',
    'tree',
    'ls && git stash',
    'cat sum.mjs | head -1',
    "git commit -q --allow-empty -m 'a note'",
    'curl https://example.org',
  ];
  const platform = await start({
    conversations: [conversation('lines', [...lines.map(run), mend, finish])],
    workers: 0,
  });
  const file = join(platform.home, 'policy.yml');
  writeFileSync(file, JSON.stringify(policy));
  await platform.startWorker();
  const rules = [{ program: 'tree', reason: 'too much to read' }];
  const repository = repositoryWith({ policy: { rules } });
  const request = { kind: 'fix' as const, description: 'the sum is wrong', repository: repository.path };
  const { operation, events } = await platform.run(request);
  expect(platform.rehearsal.failures()).toEqual([]);
  const parts = commandsOf(events);
  const told = parts.map(({ status, rules: by, denials }) => [
    status,
    denials?.map(({ rule, token }) => `${token} by ${rule}`) ?? by,
  ]);
  expect(told).toEqual([
    ['denied', ['git stash by operator: git stash']],
    ['denied', ['touch by organization: touch']],
    ['denied', ['tree by repository: tree']],
    ['denied', ['git stash by operator: git stash']],
    ['ok', ['cat', 'head']],
    [expect.stringMatching(/ok|failed/), ['git commit']],
    ['denied', ['curl by program']],
  ]);
  expect(parts[3]?.output).toMatch(
    /No part of this line was run\. «git stash»: command 2 of the line: nothing is put aside \(rule operator: git stash\)\.\nInstead: use git restore\./,
  );

  const { outcome } = operation;
  if (outcome?.kind !== 'proposal') throw new Error(JSON.stringify(outcome));
  const body = ((await (await platform.call('GET', outcome.pullRequest.url)).json()) as { body: string })
    .body;
  expect(body).toContain('- `git commit`: a person looks at commits (rule operator: git commit).');

  expect(operation.denials?.map(({ part, token }) => [part, token])).toEqual(
    [6, 3, 2, 1, 0].map((index) => [parts[index]?.number, parts[index]?.denials?.[0]?.token]),
  );
  const response = await platform.call('GET', '/v1/policy/denials?limit=2');
  const report = (await response.json()) as DenialReport;
  expect(report).toMatchObject({
    total: 5,
    more: true,
    groups: [
      {
        ...{ kind: 'command', rule: 'operator: git stash', token: 'git stash', count: 2, operations: 1 },
        example: { operationId: operation.id, part: parts[3]?.number, subject: 'ls && git stash' },
      },
      { rule: 'program', token: 'curl', count: 1 },
    ],
  });
  const server = { FETTLE_URL: platform.url, FETTLE_TOKEN: platform.token, FETTLE_HOME: platform.home };
  const summary = await runFettle(['policy', 'report', '--since', '1h'], server);
  expect(summary.stdout).toMatch(
    /^5 denied since .*\n +2× git stash {2}rule operator: git stash, 1 operation, last .*\n +command 2 of the line: nothing is put aside\n/m,
  );
  const asJson = await runFettle(['policy', 'report', '--json', '--limit', '1'], server);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ total: 5, more: true, groups: [{ count: 2 }] });
  for (const query of ['limit=0', 'limit=1000', 'since=yesterday', 'x=1'])
    expect((await platform.call('GET', `/v1/policy/denials?${query}`)).status, query).toBe(400);
});

describe('contained', () => {
  test.for(sandboxes)(
    'a shell reads the lines in $name, unless somebody is stricter',
    async (sandbox, { skip }) => {
      skip(sandbox.missing !== '', sandbox.missing);
      const settings = { ...(await settingsFor(sandbox.name)), FETTLE_COMMANDS: 'contained' };
      const platform = await start({
        conversations: [conversation('shell', [run(shellLine), mend, finish])],
        settings,
      });
      const runIn = async (config: object) => {
        const repository = repositoryWith(config);
        const request = {
          kind: 'fix' as const,
          description: 'the sum is wrong',
          repository: repository.path,
        };
        const { operation, events } = await platform.run(request);
        expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
        const ready = events.find((event) => event.type === 'workspace.ready');
        return { mode: ready?.commands, ...commandsOf(events)[0] };
      };
      const contained = await runIn({});
      expect(contained).toMatchObject({
        mode: 'contained',
        status: 'ok',
        output: expect.stringContaining('seen sum.mjs'),
      });
      expect(contained).not.toHaveProperty('rules');
      const denied = { mode: 'strict', status: 'denied', denials: [{ rule: 'shell/loop' }] };
      expect(await runIn({ policy: { commands: 'strict' } })).toMatchObject(denied);
      // A rule that a shell cannot be held to would hold nowhere.
      const rules = [{ program: 'tree', reason: 'too much to read' }];
      expect(await runIn({ policy: { rules } })).toMatchObject(denied);
      // Set-up is strict whatever the mode.
      const repository = repositoryWith({ setup: [shellLine] });
      const request = { kind: 'fix' as const, description: 'the sum is wrong', repository: repository.path };
      expect((await platform.run(request)).operation.outcome).toMatchObject({ reason: 'setup_refused' });
    },
  );
});

test('a worker does not start with settings that would not hold', async () => {
  const platform = await start({ conversations: [], workers: 0 });
  const file = join(platform.home, 'rules.yml');
  const startWith = (text: string, more: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return platform.startWorker({ FETTLE_POLICY_FILE: file, ...more });
  };
  const contained = { FETTLE_COMMANDS: 'contained' };
  await expect(startWith('', contained)).rejects.toThrow(/FETTLE_SANDBOX=process does not isolate/);
  await expect(
    startWith('commands: [{ program: git, reason: no }]', { ...contained, FETTLE_SANDBOX: 'bubblewrap' }),
  ).rejects.toThrow(/the rules in .*rules\.yml cannot be applied/);
  await expect(
    startWith('commands:\n  - program: git\n    decision: allow\n    reason: x\n'),
  ).rejects.toThrow(/rules\.yml: commands\.0\.decision: .*\(line 3\)/);
  await expect(startWith('commands: [')).rejects.toThrow(/rules\.yml: .*line 1/);
  await expect(platform.startWorker({ FETTLE_POLICY_FILE: '/nowhere/rules.yml' })).rejects.toThrow(
    /FETTLE_POLICY_FILE: cannot read \/nowhere\/rules\.yml: ENOENT/,
  );
});
