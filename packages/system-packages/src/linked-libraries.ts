import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runProgram } from '@fettle/process';
import { readToolEnvironment } from './environment-config.ts';

/** Lists the shared libraries that a program needs and that neither the system nor the unpacked tree has. */
export async function findMissingLibraries(unpacked: string, program: string): Promise<string[]> {
  const folders = new Set((await collectLibraries(unpacked)).map((library) => dirname(library.file)));
  const environment = { ...readToolEnvironment(), LD_LIBRARY_PATH: [...folders].join(':') };
  const { exitCode, stdout, stderr } = await runProgram(['ldd', program], { environment });
  if (exitCode !== 0) throw new Error(`ldd failed: ${stderr.trim()}`);
  return [...stdout.toString('utf8').matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
}

/** Lists every shared library of the unpacked tree, with the name that programs link to. */
export async function collectLibraries(unpacked: string): Promise<{ name: string; file: string }[]> {
  const entries = await readdir(unpacked, { recursive: true });
  return entries
    .filter((path) => /(^|\/)lib\/(.*\/)?[^/]+\.so(\.\d+)*$/.test(path))
    .map((path) => ({ name: basename(path), file: join(unpacked, path) }));
}
