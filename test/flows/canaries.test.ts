/**
 * A secret in every place from which it could get out: in files, in the output of a command, in what the agent says, in
 * the request, in errors. One that the scanner knows by its look, and keys of the installation, which it does not. None
 * gets to the remote repository, the pull request, the events, the logs, the API or the CLI.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectRedis } from '@fettle/queue';
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { describe, expect, test } from 'vitest';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { runFettleOn } from '../support/run-fettle.ts';

const random = createRandom(1234);
const drawn = () => randomBytes(24).toString('base64url');
const canaries: Record<string, string> = {
  'a token that the scanner knows': synthesize('ghp_{an36}', random),
  'the model’s key': synthesize('sk-ant-api03-{an93}AA', random),
  'the worker’s key': drawn(),
  'a key that has no look of its own, and that the api does not hold': drawn(),
};
const all = Object.values(canaries);
const [known = '', modelKey = '', workerKey = '', otherKey = ''] = all;
/** As written by an attacker who wants to hide it. */
const encoded = all.map((secret) => Buffer.from(secret).toString('base64'));
const words = all.join(' and ');

const leak = conversation('leak', [
  turn(say(`I will use ${words}.`), call('write_file', { path: 'leak.txt', content: `${words}\n` })),
  turn(call('write_file', { path: 'encoded.txt', content: `${encoded.join('\n')}\n` })),
  turn(call('write_file', { path: `names/${known}.txt`, content: 'empty\n' })),
  turn(call('test', {})),
  turn(call('run_command', { command: 'cat notes.txt > copy.txt; mkdir out; cp notes.txt out/copy.txt' })),
  turn(call('read_file', { path: `missing ${words}` })),
  turn(call('write_file', { path: 'fine.txt', content: 'fine\n' })),
  turn(say(`Use ${words}\n\nThe keys are ${words}, or ${encoded.join(', ')}.`)),
]);

const platform = await openPlatform({
  conversations: [leak],
  settings: {
    ANTHROPIC_API_KEY: modelKey,
    FETTLE_WORKER_KEY: workerKey,
    OPENAI_API_KEY: otherKey,
    FETTLE_LOG_LEVEL: 'debug',
  },
});
// The base contains only pieces. The output of a command joins them.
const pieces = all.flatMap((secret) => [secret.slice(0, 9), secret.slice(9)]);
const print = `printf '%s%s\\\\n' ${pieces.map((piece) => `'${piece}'`).join(' ')}`;
const repository = openRepository({
  'notes.txt': 'nothing\n',
  '.fettle/config.yml': `commands:\n  test: "${print}"\n`,
});
const { operation, events } = await platform.run({
  kind: 'implement',
  // The api could not recognise the last one if a program that knows it sent it there.
  description: `use ${all.slice(0, 3).join(' and ')} please`,
  repository: repository.path,
});

async function answerOf(method: string, path: string, body?: unknown): Promise<string> {
  return (await platform.call(method, path, body === undefined ? {} : { body })).text();
}

async function runFettle(...args: string[]): Promise<string> {
  const { stdout, stderr } = await runFettleOn(platform, ...args);
  return stdout + stderr;
}

/** Every file below a folder, as text. */
function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

test('the operation ends with a proposal of the accepted files', () => {
  expect(platform.rehearsal.failures()).toEqual([]);
  expect(operation.outcome).toMatchObject({ kind: 'proposal', draft: false });
  const { outcome } = operation;
  const head = outcome?.kind === 'proposal' ? outcome.headCommit : '';
  expect(repository.git('diff', '--name-only', 'main', head).split('\n')).toEqual([
    'copy.txt',
    'fine.txt',
    'out/copy.txt',
  ]);
});

describe.each(Object.entries(canaries))('%s', (_, secret) => {
  const forms = [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1)];
  const expectNone = (text: string) =>
    expect(forms.filter((form) => text.includes(form) || text.includes(encodeURIComponent(form)))).toEqual(
      [],
    );

  test('is in no commit, message, file or branch of the remote repository', () => {
    expectNone(repository.git('log', '--all', '-p', '--format=raw'));
    expectNone(repository.git('for-each-ref'));
    expectNone(repository.git('log', '--all', '--name-only'));
  });

  test('is in no event', () => expectNone(JSON.stringify(events)));

  test('is in no answer of the API', async () => {
    const { outcome, id } = operation;
    const pullRequest = outcome?.kind === 'proposal' ? outcome.pullRequest.url : '';
    for (const path of [
      `/v1/operations/${id}`,
      '/v1/operations',
      `/v1/operations/${id}/messages`,
      pullRequest,
    ])
      expectNone(await answerOf('GET', path));
  });

  test.skipIf(secret === otherKey)('is in no error of the API', async () => {
    expectNone(await answerOf('GET', `/v1/${secret}`));
    expectNone(await answerOf('GET', `/v1/operations?state=${encodeURIComponent(secret)}`));
    const request = { kind: 'fix', description: 'x', repository: `/nowhere/${secret}` };
    expectNone(await answerOf('POST', '/v1/operations', request));
    expectNone(await answerOf('POST', '/v1/operations', { ...request, [secret]: 1 }));
  });

  test('is in no log', () => {
    expectNone(platform.api.log());
    expectNone(platform.worker.log());
  });

  test('is in no output of the CLI', async () => {
    expectNone(await runFettle('show', operation.id));
    expectNone(await runFettle('show', operation.id, '--json'));
    expectNone(await runFettle('operations'));
    expectNone(await runFettle('logs', operation.id));
    if (secret !== otherKey) expectNone(await runFettle('run', 'fix', 'x', '--repo', `/nowhere/${secret}`));
  });

  test.skipIf(secret === known)('is in neither the record nor any other storage', async () => {
    const redis = connectRedis(platform.redis.url);
    try {
      for (const key of await redis.keys('*'))
        expectNone(Buffer.from((await redis.dumpBuffer(key)) ?? '').toString('latin1'));
    } finally {
      redis.disconnect();
    }
    expectNone(readAll(join(platform.home, 'mirrors')));
  });
});
