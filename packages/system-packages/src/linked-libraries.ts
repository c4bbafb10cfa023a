import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { readToolEnvironment } from './environment-config.ts';

/** The shared libraries that a program needs and that neither the system nor the unpacked tree has. */
export async function findMissingLibraries(unpacked: string, program: string): Promise<string[]> {
  const folders = new Set((await collectLibraries(unpacked)).map((library) => dirname(library.file)));
  const { stdout } = await execa('ldd', [program], {
    env: { ...readToolEnvironment(), LD_LIBRARY_PATH: [...folders].join(':') },
    extendEnv: false,
  });
  return [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
}

/** Every shared library under the unpacked tree, by the name that programs ask for. */
export async function collectLibraries(unpacked: string): Promise<{ name: string; file: string }[]> {
  const entries = await readdir(unpacked, { recursive: true });
  return entries
    .filter((path) => /(^|\/)lib\/(.*\/)?[^/]+\.so(\.\d+)*$/.test(path))
    .map((path) => ({ name: basename(path), file: join(unpacked, path) }));
}
