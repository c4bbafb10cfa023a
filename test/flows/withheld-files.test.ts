/** Files that hold credentials: no sandbox has them, no copy is pushed, and a check that needs them could not run. */
import { call, conversation, say, turn } from '@fettle/rehearsal';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '../support/platform.ts';
import { makeRepository } from '../support/repository.ts';
import { sandboxes, settingsFor } from '../support/sandbox-settings.ts';

const value = 'words that no scanner minds';
const line = `GREETING_TOKEN="${value}"`;
const encoded = Buffer.from(`${line}\n`).toString('base64');
const files = {
  '.env': `# Local settings\n${line}\n`,
  'a.txt': 'a\n',
  '.fettle/config.yml': 'commands: {}\n',
};

const run = (command: string) => turn(call('run_command', { command }));
const write = (path: string, content: string) => turn(call('write_file', { path, content }));
const insist = Array.from({ length: 8 }, () => turn(say('Done')));

/** The last ones are by a model that knows the content from somewhere else. */
const copies = {
  'with cp': run('cp .env copy.txt; cp -r . /tmp/all; cp /tmp/all/.env second.txt'),
  'with python': run(
    `python3 -c "open('copy.txt', 'w').write(open('.e' + 'nv').read())" || node -e "fs.writeFileSync('copy.txt', fs.readFileSync('.e' + 'nv'))"`,
  ),
  'with base64': run('base64 .e* > copy.txt; gzip -c .e* | base64 > second.txt'),
  'from the history': run(
    'git show HEAD:.env > copy.txt; git log --all -p > second.txt; git stash list >> copy.txt',
  ),
  'as it is': write('copy.txt', `${line}\n`),
  'within other text': write('copy.mjs', `export const settings = {\n  text: \`${line}\`,\n};\n`),
  'encoded in base64': write('copy.txt', `data: ${encoded}\n`),
  'encoded in hexadecimal': write('copy.txt', `${Buffer.from(line).toString('hex')}\n`),
};

test.for(sandboxes)(
  'no copy of a protected file is pushed from $name',
  async ({ name, missing }, { skip }) => {
    skip(missing !== '', missing);
    const platform = await startPlatform({
      conversations: Object.entries(copies).map(([how, copy]) =>
        conversation(how, [copy, write('b.txt', 'b\n'), ...insist], { match: `please: ${how}.` }),
      ),
      settings: await settingsFor(name),
    });
    onTestFinished(() => platform.close());
    for (const how of Object.keys(copies)) {
      const repository = makeRepository(files);
      onTestFinished(() => repository.remove());
      const { operation, events } = await platform.run({
        ...{ kind: 'implement', description: `please: ${how}.`, repository: repository.path },
      });
      const pushed = repository.git('log', '--all', '--not', 'main', '-p');
      const everywhere = `${pushed}\n${JSON.stringify([operation, events.filter(({ type }) => /^proposal/.test(type))])}`;
      for (const secret of [value, encoded, Buffer.from(line).toString('hex')])
        expect([how, everywhere.includes(secret)]).toEqual([how, false]);
      expect([how, decodeAll(pushed).includes(value)]).toEqual([how, false]);
      // The rest of the change is.
      expect([how, pushed.includes('+++ b/b.txt'), pushed.includes('+++ b/copy')]).toEqual([
        how,
        true,
        false,
      ]);
      // The file itself is not changed by the placeholder.
      for (const branch of repository.git('for-each-ref', '--format=%(refname)').split('\n'))
        expect(repository.git('show', `${branch}:.env`)).toContain(line);
    }
  },
);

/** Everything that looks like base64, decoded. */
function decodeAll(text: string): string {
  return (text.match(/[A-Za-z0-9+/]{12,}={0,2}/g) ?? [])
    .map((found) => Buffer.from(found, 'base64').toString('latin1'))
    .join('\n');
}

const needsFile = {
  ...files,
  'settings.test.mjs': `import fs from 'node:fs';
import test from 'node:test';
test('has a greeting', () => {
  const text = fs.readFileSync('.env', 'utf8');
  if (!/^GREETING_TOKEN=/m.test(text)) throw new Error('GREETING_TOKEN is not set');
});
`,
  '.fettle/config.yml': 'commands:\n  test: node --test\n',
};

test.for(sandboxes)(
  'a check that needs a withheld file could not run in $name, and the report names the file',
  async ({ name, missing }, { skip }) => {
    skip(missing !== '', missing);
    const platform = await startPlatform({
      conversations: [conversation('change', [write('b.txt', 'b\n'), turn(say('Done'))])],
      settings: await settingsFor(name),
    });
    onTestFinished(() => platform.close());
    const repository = makeRepository(needsFile);
    onTestFinished(() => repository.remove());
    const { operation, events } = await platform.run({
      ...{ kind: 'implement', description: 'add a file', repository: repository.path },
    });
    const reason = 'It needs `.env`, which is withheld from sandboxes';
    expect(operation.outcome).toMatchObject({
      ...{ kind: 'proposal', proof: 'unproven', draft: true, reason: 'unproven' },
      evidence: {
        ...{ passed: [], failed: [], redBefore: [] },
        couldNotRun: [
          { name: 'test', obstacle: { code: 'file_withheld', message: expect.stringContaining(reason) } },
        ],
      },
    });
    const bodies = events.flatMap((event) => (event.type === 'proposal.committed' ? [event.body] : []));
    expect(bodies.join()).toContain(`Could not run:\n- test: ${reason}`);
    expect(JSON.stringify(events)).not.toContain(value);
  },
);
