/** A new secret is not pushed and not recorded; one that the base already has may stay, and is reported. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { proposalOf, toolParts } from '../support/events.ts';
import { openPlatform, openRepository } from '../support/lifetime.ts';
import { installSecondScanner } from '../support/second-scanner.ts';

const random = createRandom(77);
const fresh = synthesize('ghp_{an36}', random);
const old = synthesize('ghp_{an36}', random);
const files = {
  'config.mjs': `export const token = '${old}';\n`,
  'src/a.mjs': 'export const a = 1;\n',
  '.fettle/config.yml': 'commands: {}\n',
};

const write = conversation('write', [
  turn(call('write_file', { path: 'src/b.mjs', content: `export const b = '${fresh}';\n` })),
  turn(call('run_command', { command: 'mkdir lib && cp config.mjs lib/moved.mjs' })),
  turn(
    call('edit_file', {
      path: 'config.mjs',
      edits: [{ old: 'export const token', new: 'export const gitToken' }],
    }),
  ),
  turn(call('write_file', { path: 'src/c.mjs', content: 'export const c = process.env.TOKEN;\n' })),
  turn(say('Wrote it')),
]);

test('a new secret in a file is refused and explained; one that the base has may stay, move, and is reported', async () => {
  const scanner = installSecondScanner();
  const platform = await openPlatform({
    conversations: [write],
    settings: { FETTLE_GITLEAKS: scanner.path },
  });
  const repository = openRepository(files);
  const { operation, events } = await platform.run(repository.request('implement', 'write a secret'));
  const outcome = proposalOf(operation);
  const outputs = toolParts(events).map(({ output }) => output);
  expect(outputs[0]).toMatch(
    /not part of the change:\n- src\/b\.mjs: it contains a secret: line 1, export const b = '\[redacted\]'; \(rule github-token\)\. Read it from an environment variable/,
  );
  expect(outputs.slice(1).join('\n')).not.toContain('not part of the change');
  const changed = repository.git('diff', '--no-renames', '--name-only', 'main', outcome.headCommit);
  expect(changed.split('\n')).toEqual(['config.mjs', 'lib/moved.mjs', 'src/c.mjs']);
  expect(await (await platform.call('GET', outcome.pullRequest.url)).text()).toContain(
    '- `config.mjs`: it contains a secret, as it did before this change: `line 1` (rule github-token).',
  );
  expect(JSON.stringify(events)).not.toContain(fresh);
});
