import { expect, test } from 'vitest';
import { planningTools, reviewTools, toolsFor } from '../tools/tool-set.ts';
import { boundOutput, cutBeforeToken } from './bound-output.ts';
import { placeSecrets, type SecretTokens } from './place-secrets.ts';

const token = '⟦secret:0123456789abcdef:github-token⟧';
const secrets: SecretTokens = {
  findIn: (text) => (text.includes(token) ? token : undefined),
  putBack: async (texts, path) =>
    path === 'full.ts'
      ? { ok: false, reason: 'the file does not hold it' }
      : { ok: true, texts: texts.map((text) => text.replaceAll(token, 'the secret')) },
};
const tools = [...toolsFor('fix'), ...planningTools(() => {}).tools, ...reviewTools];
const find = (name: string) => tools.find((tool) => tool.name === name) as (typeof tools)[number];
const place = (name: string, input: Record<string, unknown>) =>
  placeSecrets({ tool: find(name), input, paths: find(name).paths(input) }, secrets);

test('secrets are put back into the content of a file, and nowhere else', async () => {
  expect(await place('write_file', { path: 'a.ts', content: `a ${token} b` })).toEqual({
    ok: true,
    input: { path: 'a.ts', content: 'a the secret b' },
  });
  const edits = [
    { old: token, new: `// ${token}`, all: false },
    { old: 'a', new: 'b', all: true },
  ];
  expect(await place('edit_file', { path: 'a.ts', edits })).toEqual({
    ok: true,
    input: {
      path: 'a.ts',
      edits: [
        { old: 'the secret', new: '// the secret', all: false },
        { old: 'a', new: 'b', all: true },
      ],
    },
  });
  expect(await place('write_file', { path: 'full.ts', content: token })).toEqual({
    ok: false,
    reason: 'write_file was not run: the file does not hold it',
  });
});

test('a token in a path, or in the input of any other tool, is denied, except in text for people', async () => {
  const forPeople = ['propose_plan', 'report_findings'];
  for (const { name } of tools) {
    const placed = await place(name, { path: `src/${token}`, anything: [{ below: `x ${token}` }] });
    expect({ name, ok: placed.ok }).toEqual({ name, ok: forPeople.includes(name) });
    if (!placed.ok) expect(placed.reason).toContain(`${name} was not run: ${token} stands for a secret`);
    else expect(JSON.stringify(placed.input)).not.toContain('the secret');
  }
  const command = { command: 'echo hello', timeoutSeconds: 3 };
  expect(await place('run_command', command)).toEqual({ ok: true, input: command });
});

test('a cut never goes through a token', () => {
  for (let place = 0; place <= token.length + 20; place += 1) {
    const text = `0123456789${token}0123456789`;
    const cut = cutBeforeToken(text, place);
    expect(cut).toBe(place > 10 && place < 10 + token.length ? 10 : place);
  }
  const text = `${'x'.repeat(90)}${token}${'y'.repeat(200)}${token}${'z'.repeat(90)}`;
  for (const size of [190, 200, 210, 250, 260]) {
    const bound = boundOutput(text, size, 3);
    expect(bound.match(/⟦[^⟧]*$|^[^⟦]*⟧/gm)).toBeNull();
    const [, offset] = /"offset": (\d+)/.exec(bound) ?? [];
    expect(bound.startsWith(`${text.slice(0, Number(offset))}\n… `)).toBe(true);
  }
});
