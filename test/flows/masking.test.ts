/** No secret of a repository, a request or a message reaches the model, and no secret is lost. */
import { call, conversation, conversationFor, say, seen, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { proposalOf, toolOutputs } from '../support/events.ts';
import { openPlatform, openRepository, openWorker } from '../support/lifetime.ts';
import type { Environment } from '../support/service-process.ts';

const random = createRandom(Date.now() % 100_000);
const draw = (template: string) => synthesize(template, random);
const canary = () => draw('ghp_{an36}');

const token = '⟦secret:[^⟧]+⟧';
const line = `const token = '${token}';`;
const path = 'src/config.mjs';

const look = conversationFor(
  'which token',
  turn(
    call('read_file', { path: 'src/config.ts' }),
    // From the middle of a key, where nothing says that it is one.
    call('read_file', { path: 'src/keys.yml', offset: 4, limit: 1 }),
    call('search_text', { pattern: 'const', path: 'src/other.ts' }),
    call('git_log', {}),
    call('list_directory', { path: 'notes' }),
  ),
  turn(say(seen('⟦secret:[0-9a-f]+:github-token⟧', 'The token is $&.'))),
);

const edit = conversationFor(
  'where the token is from',
  turn(call('read_file', { path })),
  turn(
    call('run_command', { command: seen(token, 'echo $&') }),
    call('write_file', { path: 'src/copy.mjs', content: seen(line) }),
    call('write_file', { path, content: seen(token, "const token = '⟦secret:0000000000000000:x⟧';") }),
    call('edit_file', { path, edits: [{ old: seen('⟦secret:[0-9a-f]{8}'), new: 'x' }] }),
    call('read_file', { path: seen(token) }),
    call('search_text', { pattern: seen(token) }),
  ),
  turn(call('edit_file', { path, edits: [{ old: seen(line), new: seen(line, '// from the vault\n$&') }] })),
  turn(call('run_command', { command: `cat ${path} long.log` }), call('git_diff', {})),
  turn(call('read_output', { part: 9, offset: 30_000 })),
  turn(say('Say where it is from')),
  // The check prints it and fails.
  {
    expect: { lastText: { contains: ['not ready', '⟦secret:'] } },
    ...turn(call('edit_file', { path, edits: [{ old: 'false', new: 'true' }] })),
  },
  turn(say(seen(token, 'Say where it is from\n\nIt is $&.'))),
);

const review = conversation(
  'review',
  [
    {
      expect: { lastText: { contains: ['⟦secret:', 'from the vault'] } },
      ...turn(call('report_findings', { findings: [] })),
    },
  ],
  { agent: 'reviewer' },
);

const editFixtures = conversationFor(
  'fixtures',
  turn(call('read_file', { path: 'fixtures.txt' })),
  turn(
    call('edit_file', { path: 'fixtures.txt', edits: [{ old: 'the line to edit', new: 'edited' }] }),
    // With a line that has one, as the model saw it.
    call('edit_file', {
      path: 'fixtures.txt',
      edits: [{ old: seen(`token: ${token}`), new: seen(`token: (${token})`, 'tokens: [$1]') }],
    }),
  ),
  turn(say('Edit the line')),
);

const glance = conversation('glance', [turn(call('read_file', { path: 'a.txt' })), turn(say('Seen'))]);

const conversations = [look, edit, review, editFixtures, glance];
const platform = await openPlatform({ conversations, workers: 0 });

const startWorker = (settings?: Environment) => openWorker(platform, settings);

/** Lists the secrets that were sent to the model. */
function listShown(secrets: Record<string, string>): string[] {
  const sent = platform.rehearsal.requests().map(({ body }) => JSON.stringify(body));
  return Object.keys(secrets).filter((name) => sent.some((body) => body.includes(secrets[name] as string)));
}

test('the model and the record contain a token, wherever a secret comes from', async () => {
  const [first = '', second = '', third = ''] = Array.from({ length: 3 }, () => draw('{b6464}'));
  const secrets = {
    ...{ description: canary(), message: canary(), stack: canary(), logs: canary(), requirement: canary() },
    ...{ instructions: canary(), file: canary(), searched: canary(), commit: canary(), name: canary() },
    ...{ said: canary(), password: draw('{an18}'), first, second, third },
  };
  const repository = openRepository({
    // The part of this file that the model sees ends in the middle of the secret.
    'AGENTS.md': `${'Be brief.\n'.repeat(1_597)}Use ${secrets.instructions} for the tests.\n`,
    'src/config.ts': `export const token = '${secrets.file}';\nexport const url = 'postgres://app:${secrets.password}@db/app';\n`,
    'src/keys.yml': `key: |\n  ${draw('{dashes}BEGIN PRIVATE KEY{dashes}')}\n  ${first}\n  ${second}\n  ${third}\n  ${draw('{dashes}END PRIVATE KEY{dashes}')}\n`,
    // So does what is shown of this line.
    'src/other.ts': `${'/* */ '.repeat(63)} const t = '${secrets.searched}';\n`,
    [`notes/${secrets.name}.txt`]: 'a name\n',
  });
  repository.git('commit', '-q', '--allow-empty', '-m', `use ${secrets.commit}`);
  const { id } = await platform.create({
    ...{ kind: 'ask', description: `which token is it? Mine is ${secrets.description}` },
    repository: repository.path,
    errorContext: { message: secrets.message, stack: `at ${secrets.stack}`, logs: `key=${secrets.logs}` },
    featureContext: { requirements: [`with ${secrets.requirement}`], acceptanceCriteria: [] },
  });
  await platform.call('POST', `/v1/operations/${id}/messages`, { body: { text: `take ${secrets.said}` } });
  await startWorker();
  const events = await platform.follow(id);
  expect(platform.rehearsal.failures()).toEqual([]);
  const halves = Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [name, secret.slice(0, 12)]),
  );
  expect(listShown(halves)).toEqual([]);
  const told = events.filter(({ type }) => type === 'turn.started' || type.startsWith('part.'));
  for (const secret of Object.values(halves)) expect(JSON.stringify(told)).not.toContain(secret);
  const [config, key, found, log, names] = toolOutputs(events);
  expect(config).toMatch(
    /1\texport const token = '⟦secret:\w+:github-token⟧';\n +2\texport const url = 'postgres:\/\/app:⟦secret:\w+:[a-z-]+⟧@db\/app';$/,
  );
  expect(key).toMatch(/^ok: +4\t {2}⟦secret:\w+:private-key⟧\n\(lines 4 to 4 of 6/);
  expect(found).toMatch(/^ok: src\/other\.ts:1: .*const t = '$/);
  for (const output of [log, names]) expect(output).toMatch(/^ok: .*⟦secret:\w+:github-token⟧/s);
  const [asked] = platform.rehearsal.requests();
  // Five of the request and one of the message.
  const tokens = JSON.stringify(asked?.body).match(/⟦secret:\w+:github-token⟧/g);
  expect(new Set(tokens).size).toBeGreaterThanOrEqual(6);
  // Words for people keep it.
  expect((await platform.get(id)).outcome).toMatchObject({
    kind: 'answer',
    answer: expect.stringMatching(/^The token is ⟦secret:\w+:github-token⟧\.$/),
  });
});

test('a line is edited around its secret, which is spread nowhere else', async () => {
  const secrets = { token: canary(), logged: canary() };
  const source = `const token = '${secrets.token}';\nexport const isReady = false;\n`;
  const quiet = 'nothing to see\n'.repeat(3_000);
  const repository = openRepository({
    [path]: source,
    'long.log': `${quiet}key ${secrets.logged}\n${quiet}`,
    'check.mjs': `import { readFileSync } from 'node:fs';\nconst text = readFileSync('${path}', 'utf8');\nconsole.log(text);\nprocess.exit(text.includes('vault') && !text.includes('true') ? 1 : 0);\n`,
    '.fettle/config.yml': 'commands:\n  test: node check.mjs\n',
  });
  await startWorker();
  const { operation, events } = await platform.run({
    ...{ kind: 'implement', description: 'say where the token is from', review: true },
    repository: repository.path,
  });
  expect(platform.rehearsal.failures()).toEqual([]);
  expect(listShown(secrets)).toEqual([]);
  const parts = events.filter(({ type }) => type.startsWith('part.'));
  for (const secret of Object.values(secrets)) expect(JSON.stringify(parts)).not.toContain(secret);
  const said = toolOutputs(events);
  expect(said.slice(1, 8)).toEqual([
    expect.stringMatching(
      /^denied: run_command was not run: ⟦secret:.*⟧ stands for a secret\. .* would leak here/,
    ),
    expect.stringMatching(
      /^denied: write_file was not run: the secret behind ⟦secret:.*⟧ is not in src\/copy/,
    ),
    expect.stringMatching(/^denied: write_file was not run: 'secret 0000.*' was never given out/),
    expect.stringMatching(/^denied: edit_file was not run: 'sec' is a piece of a changed token/),
    expect.stringMatching(/^denied: read_file was not run: ⟦secret:/),
    expect.stringMatching(/^denied: search_text was not run: ⟦secret:/),
    `ok: Changed ${path} in 1 place.`,
  ]);
  expect(said[10]).toMatch(/\nkey ⟦secret:\w+:github-token⟧\n/);
  const { headCommit } = proposalOf(operation);
  expect(repository.git('show', `${headCommit}:${path}`)).toBe(
    `// from the vault\n${source.replace('false', 'true')}`.trim(),
  );
  expect(repository.git('log', '-1', '--format=%B', headCommit)).toMatch(/It is ⟦secret:/);
});

/** What reads like a secret and is none: fixtures, digests, examples, a text about tokens. */
const lookAlikes = [
  '  "digest": "{hx40}",',
  'password = "{an24}"\r',
  "\tAPI_KEY='{b6440}' # sample ü ⟦x⟧",
  '⟦secret:{hx16}:github-token⟧ and ⟦secret:{hx8}',
  'token: ghp_{an36}\u00a0',
  'url=https://user:{an12}@example.com/?q=%20',
];

test('a file full of look-alikes keeps every byte outside of an edit', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => draw(lookAlikes[index % 6] as string));
  const text = lines.with(30, 'the line to edit').join('\n');
  const repository = openRepository({ 'fixtures.txt': text });
  await startWorker();
  const { operation, events } = await platform.run(repository.request('implement', 'edit the fixtures'));
  expect(toolOutputs(events)).toEqual([
    expect.stringMatching(/^ok: +1\t/),
    'ok: Changed fixtures.txt in 1 place.',
    'ok: Changed fixtures.txt in 1 place.',
  ]);
  const [first = ''] = /(?<=token: )ghp_\w+/.exec(text) ?? [];
  expect(repository.git('show', `${proposalOf(operation).headCommit}:fixtures.txt`)).toBe(
    text.replace('the line to edit', 'edited').replace(`token: ${first}`, `tokens: [${first}]`).trim(),
  );
});

test('with masking off, only secrets of the installation are masked', async () => {
  const secret = canary();
  const key = 'a-key-for-the-flow-tests';
  const repository = openRepository({
    'a.txt': `${secret}\n${key}\n${Buffer.from(key).toString('base64')}\n`,
  });
  await startWorker({ FETTLE_MASK_SECRETS: 'off' });
  const { events } = await platform.run(repository.request('ask', 'look'));
  expect(toolOutputs(events)).toEqual([
    // The model has seen it; who looks at the events does not.
    expect.stringMatching(/^ok: +1\t\[redacted: github-token\]\n +2\t\[masked\]\n +3\t\[masked\].{0,4}$/),
  ]);
});
