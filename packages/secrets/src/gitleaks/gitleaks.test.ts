import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { fingerprintOf } from '../describe-matches.ts';
import { createRandom, synthesize } from '../testing/synthesize.ts';
import { findGitleaks } from './find-gitleaks.ts';
import { toMatches } from './leak-matches.ts';
import { scanTextsWithGitleaks } from './scan-texts.ts';
import { scanWithGitleaks } from './scan-with-gitleaks.ts';

const random = createRandom(9);
const token = synthesize('ghp_{an36}', random);
const home = resolve(process.env.FETTLE_HOME || join(homedir(), '.fettle'));
const real = await findGitleaks(home).catch(() => undefined);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-gitleaks-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program named gitleaks that does something else. */
async function writeProgram(script: string): Promise<string> {
  const file = join(folder, 'tools', 'gitleaks', 'bin', 'gitleaks');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

describe('a scanner that does not scan is an error', () => {
  const scan = (program: string, timeoutMs = 60_000) => scanWithGitleaks('text', { program, timeoutMs });
  test('when it is missing', async () => {
    await expect(scan(join(folder, 'none'))).rejects.toMatchObject({ code: 'gitleaks_missing' });
  });
  test.each([
    ['fails', 'cat >/dev/null; exit 1'],
    ['is killed', 'kill -9 $$'],
    ['says nothing', 'cat >/dev/null'],
    ['says something else', 'cat >/dev/null; echo hello'],
    ['reports in another form', `cat >/dev/null; echo '[{"rule":1}]'`],
    ['stops in the middle of its report', `cat >/dev/null; echo '[{"RuleID":'; exit 42`],
  ])('when it %s', async (_, script) => {
    await expect(scan(await writeProgram(script))).rejects.toMatchObject({ code: 'gitleaks_failed' });
  });
  test('when it takes too long', async () => {
    await expect(scan(await writeProgram('exec sleep 60'), 300)).rejects.toMatchObject({
      code: 'gitleaks_timeout',
      message: 'gitleaks did not end within 300 ms.',
    });
  });
  test('it is killed when the caller is cancelled', async () => {
    const work = new AbortController();
    const program = await writeProgram(`echo $$ > ${folder}/pid; exec sleep 60`);
    const scanning = scanTextsWithGitleaks([], { program, signal: work.signal });
    scanning.catch(() => {});
    const readPid = () => readFile(join(folder, 'pid'), 'utf8').then(Number);
    await expect.poll(() => readPid().catch(() => 0), { timeout: 30_000 }).toBeGreaterThan(0);
    work.abort(new Error('cancelled'));
    await expect(scanning).rejects.toThrow('cancelled');
    const pid = await readPid();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
  test('its error message does not reveal the input', async () => {
    const error = await scan(await writeProgram(`echo "bad: ${token}" >&2; exit 1`)).catch((error) => error);
    expect(error.message).toContain('bad: […]');
  });
});

test('a scanner that finds nothing is not used', async () => {
  const blind = await writeProgram("cat >/dev/null; echo '[]'");
  const found = await findGitleaks(folder).catch((error: Error) => error.message);
  // Another one may come first on the PATH.
  expect(found).not.toBe(blind);
  if (found !== real) expect(found).toContain('finds a secret that it is given');
});

test('a leak is located in the text, however long, or by decoding', () => {
  const before = 'one line\n'.repeat(5_000);
  const plain = toMatches(`${before}"${token}" "${token}"`, [{ RuleID: 'a', Secret: token }]);
  expect(plain.map(({ start }) => start)).toEqual([before.length + 1, before.length + 44]);
  const encoded = Buffer.from(token).toString('base64');
  const [hidden] = toMatches(`${before}x = "${encoded}"`, [{ RuleID: 'a', Secret: token }]);
  expect(hidden).toMatchObject({ start: before.length + 5, hidden: true });
  expect(toMatches('text', [{ RuleID: 'a', Secret: token }])).toMatchObject([{ start: 0, end: 0 }]);
});

describe('the real one', () => {
  const program = ({ skip }: TestContext) => real ?? skip('there is no gitleaks on this machine');

  test('finds secrets that comments and file names would hide, with their positions', async (context) => {
    const text = `${'x = 1;\n'.repeat(3_000)}const t = "${token}"; // gitleaks:allow\n`;
    const found = await scanWithGitleaks(text, { program: program(context), filename: 'package-lock.json' });
    expect(found).toEqual([
      {
        ...{
          rule: 'gitleaks/github-pat',
          file: 'package-lock.json',
          line: 3_001,
          column: 12,
          severity: 'high',
        },
        excerpt: 'const t = "[redacted]"; // gitleaks:allow',
        fingerprint: fingerprintOf('gitleaks/github-pat', token),
      },
    ]);
  });
  test('finds what is encoded', async (context) => {
    const text = `k = "${Buffer.from(token).toString('base64')}"`;
    const found = await scanWithGitleaks(text, { program: program(context) });
    expect(found).toMatchObject([{ line: 1, column: 6, excerpt: 'k = "[redacted]"' }]);
  });
  test('reports nothing for a clean text, and leaves no folder', async (context) => {
    const before = await readdir(tmpdir());
    expect(await scanWithGitleaks('const a = 1;\n', { program: program(context) })).toEqual([]);
    const left = (await readdir(tmpdir())).filter(
      (name) => name.startsWith('gitleaks-') && !before.includes(name),
    );
    expect(left).toEqual([]);
  });
});

describe('many texts with one call', () => {
  const texts = [
    { name: 'a.ts', text: 'const a = 1;\n' },
    { name: 'b.ts', text: `const b = "${token}";\n` },
    { name: 'c.ts', text: `const c = "${Buffer.from(token).toString('base64')}";\n` },
  ];
  test('are reported one by one', async ({ skip }) => {
    const program = real ?? skip('there is no gitleaks on this machine');
    const found = await scanTextsWithGitleaks(texts, { program });
    expect(found.map(({ finding, piece }) => [finding.file, finding.excerpt, piece])).toContainEqual([
      'b.ts',
      'const b = "[redacted]";',
      token,
    ]);
    expect(new Set(found.map(({ finding }) => finding.file))).toEqual(new Set(['b.ts', 'c.ts']));
    expect(await scanTextsWithGitleaks(texts.slice(0, 1), { program })).toEqual([]);
  });
  test.each([
    ['finds nothing', "cat >/dev/null; echo '[]'"],
    ['did not read to the end', `head -c 10 >/dev/null; echo '[{"RuleID":"a","Secret":"const a"}]'; exit 42`],
  ])('are not believed to be clean when it %s', async (_, script) => {
    const scan = scanTextsWithGitleaks(texts, { program: await writeProgram(script) });
    await expect(scan).rejects.toMatchObject({ code: 'gitleaks_failed' });
  });
});
