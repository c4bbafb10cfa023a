import { SandboxError } from '@fettle/sandbox';
import { createRandom, synthesize } from '@fettle/secrets/testing';
import { expect, test } from 'vitest';
import { createMasking } from './create-masking.ts';
import { createSecretTokens } from './secret-tokens.ts';

const random = createRandom(7);
const secret = synthesize('ghp_{an36}', random);
const maskOwn = (text: string) => text;
const config = { maskOwn, workerKey: 'a key of the installation', masksSecrets: true };

function versions(current: Record<string, string>, base: Record<string, string> = {}) {
  return {
    sandbox: {
      async readFile(path: string) {
        const text = current[path];
        if (text === undefined) throw new SandboxError('not_found', `${path} is not there`);
        return { bytes: Buffer.from(text), size: text.length, executable: false };
      },
    },
    history: {
      async baseFile(path: string) {
        const text = base[path];
        return text === undefined ? undefined : { bytes: Buffer.from(text), executable: false };
      },
    },
  };
}

const line = `token = "${secret}"\n`;
const masking = createMasking(config, 'op-1');
const masked = masking.mask(line);
const put = (where: ReturnType<typeof versions>, texts: string[], path = 'a.ts', given = masking) =>
  createSecretTokens(given, where).putBack(texts, path);

test('a secret is put back into a file that contains it, in the sandbox or in the base commit', async () => {
  const texts = [line, 'other'];
  expect(await put(versions({ 'a.ts': line }), [masked, 'other'])).toEqual({ ok: true, texts });
  expect(await put(versions({}, { 'a.ts': line }), [masked])).toEqual({ ok: true, texts: [line] });
});

test.each([
  [
    'a new file',
    versions({ 'b.ts': line }, { 'b.ts': line }),
    masked,
    /is not in a\.ts, and secrets are not copied/,
  ],
  ['a file without it', versions({ 'a.ts': 'token = read()\n' }), masked, /is not in a\.ts/],
  ['a changed token', versions({ 'a.ts': line }), masked.replace('github', 'gitlab'), /was never given out/],
  ['half a token', versions({ 'a.ts': line }), masked.slice(0, 24), /piece of a changed token/],
])('%s is refused', async (_, where, text, reason) => {
  expect(await put(where, ['fine', text])).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test('another worker of the installation learns the secret from the file; another operation does not', async () => {
  const later = createMasking({ ...config }, 'op-1');
  expect(await put(versions({ 'a.ts': line }), [masked], 'a.ts', later)).toEqual({ ok: true, texts: [line] });
  for (const other of [
    createMasking(config, 'op-2'),
    createMasking({ ...config, workerKey: 'another key altogether' }, 'op-1'),
  ])
    expect(await put(versions({ 'a.ts': line }), [masked], 'a.ts', other)).toMatchObject({ ok: false });
});

test('a secret that no longer exists anywhere is reported as unknown', async () => {
  const later = createMasking(config, 'op-1');
  expect(await put(versions({ 'a.ts': 'gone\n' }), [masked], 'a.ts', later)).toEqual({
    ok: false,
    reason: expect.stringContaining('is not known any more'),
  });
});

test('with masking off, tokens of an earlier attempt are still put back, and other texts may contain anything', async () => {
  const off = createMasking({ ...config, masksSecrets: false }, 'op-1');
  expect(off.mask(line)).toBe(line);
  expect(await put(versions({ 'a.ts': line }), [masked], 'a.ts', off)).toEqual({ ok: true, texts: [line] });
  const quoted = 'a token looks like ⟦secret:…⟧';
  expect(await put(versions({}), [quoted], 'a.md', off)).toEqual({ ok: true, texts: [quoted] });
  expect(createSecretTokens(off, versions({})).findIn(quoted)).toBeUndefined();
  expect(createSecretTokens(off, versions({})).findIn(masked)).toBe(masked.slice(9, -2));
  expect(createSecretTokens(masking, versions({})).findIn(quoted)).toBe('⟦sec');
});
