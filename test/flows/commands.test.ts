/** Command lines of the agent in a whole operation: which rule allows or denies them, and what people see. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DenialReport } from '@fettle/contract';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { describe, expect, test } from 'vitest';
import { runFettle } from '../../packages/cli/src/testing/run-fettle.ts';
import { proposalOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { repairSum } from '../support/repairs.ts';
import { brokenSum } from '../support/repository.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';

const finish = turn(say('Mended the sum'));
const run = (command: string) => turn(call('run_command', { command }));
const shellLine = 'for f in *.mjs; do echo "seen $f"; done';

/** Files in the scratch folder do not become part of the change. */
const scratchLine = 'mkdir -p /tmp/notes && echo noted > /tmp/notes/a.txt && cat /tmp/notes/a.txt';

function repositoryWith(config: object) {
  const text = JSON.stringify({ commands: { test: 'node --test' }, ...config });
  return openRepository({ ...brokenSum, '.fettle/config.yml': text });
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

test('all layers apply; denials are recorded and counted; remarks for people are shown', async () => {
  const lines = [
    'git stash',
    'touch x',
    'tree',
    'ls && git stash',
    'cat sum.mjs | head -1',
    "git commit -q --allow-empty -m 'a note'",
    'curl https://example.org',
  ];
  const platform = await openPlatform({
    conversations: [conversation('lines', [...lines.map(run), repairSum, finish])],
    workers: 0,
  });
  const file = join(platform.home, 'policy.yml');
  writeFileSync(file, JSON.stringify(policy));
  await platform.startWorker();
  const rules = [{ program: 'tree', reason: 'too much to read' }];
  const repository = repositoryWith({ policy: { rules } });
  const request = repository.request('fix', 'the sum is wrong');
  const { operation, events } = await platform.run(request);
  expect(platform.rehearsal.failures()).toEqual([]);
  const parts = toolParts(events, 'run_command');
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

  const outcome = proposalOf(operation);
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
    'a shell runs the lines in $name, unless a stricter setting applies',
    async (sandbox, { skip }) => {
      skip(sandbox.missing !== '', sandbox.missing);
      const platform = await openPlatform({
        conversations: [
          conversation('shell', [
            run(shellLine),
            run(scratchLine),
            run('curl https://example.org'),
            repairSum,
            finish,
          ]),
        ],
        settings: await settingsFor(sandbox.name),
      });
      const runIn = async (config: object) => {
        const repository = repositoryWith(config);
        const request = repository.request('fix', 'the sum is wrong');
        const { operation, events } = await platform.run(request);
        expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
        const ready = events.find((event) => event.type === 'workspace.ready');
        const outcome = proposalOf(operation);
        const changed = repository.git('diff', '--name-only', 'main', outcome.headCommit);
        const [first, scratch, network] = toolParts(events, 'run_command');
        return { mode: ready?.commands, ...first, scratch, network, changed };
      };
      const contained = await runIn({});
      expect(contained).toMatchObject({
        mode: 'contained',
        status: 'ok',
        output: expect.stringContaining('seen sum.mjs'),
      });
      expect(contained).toMatchObject({
        rules: ['contained, strict denies: shell/loop'],
        scratch: { status: 'ok', output: expect.stringContaining('noted') },
        network: { status: 'denied', denials: [{ rule: 'contained/network' }] },
        changed: 'sum.mjs',
      });
      const denied = { mode: 'strict', status: 'denied', denials: [{ rule: 'shell/loop' }] };
      expect(await runIn({ policy: { commands: 'strict' } })).toMatchObject(denied);
      // A rule that a shell cannot be held to would hold nowhere.
      const rules = [{ program: 'tree', reason: 'too much to read' }];
      expect(await runIn({ policy: { rules } })).toMatchObject(denied);
      // Set-up is strict whatever the mode.
      const repository = repositoryWith({ setup: [shellLine] });
      const request = repository.request('fix', 'the sum is wrong');
      expect((await platform.run(request)).operation.outcome).toMatchObject({ reason: 'setup_refused' });
    },
  );
});

test('a worker does not start with settings that it cannot enforce', async () => {
  const platform = await openPlatform({ conversations: [], workers: 0 });
  const file = join(platform.home, 'rules.yml');
  const startWith = (text: string, more: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return platform.startWorker({ FETTLE_POLICY_FILE: file, ...more });
  };
  await expect(startWith('', { FETTLE_COMMANDS: 'contained' })).rejects.toThrow(
    /FETTLE_SANDBOX=process does not isolate/,
  );
  await expect(
    startWith('commands:\n  - program: git\n    decision: allow\n    reason: x\n'),
  ).rejects.toThrow(/rules\.yml: commands\.0\.decision: .*\(line 3\)/);
  await expect(startWith('commands: [')).rejects.toThrow(/rules\.yml: .*line 1/);
  await expect(platform.startWorker({ FETTLE_POLICY_FILE: '/nowhere/rules.yml' })).rejects.toThrow(
    /FETTLE_POLICY_FILE: cannot read \/nowhere\/rules\.yml: ENOENT/,
  );
});
