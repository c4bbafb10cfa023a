import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const packedSchema = z.array(z.object({ filename: z.string(), integrity: z.string() })).length(1);

export interface PackageToUnpack {
  spec: string;
  /** Where it is known, another content is refused. */
  integrity?: string;
  folder: string;
}

/** Fetches a package by this machine's npm, from the registry that npm is set to; gives the folder of its files. */
export async function unpackPackage({ spec, integrity, folder }: PackageToUnpack): Promise<string> {
  const target = join(folder, 'unpacked', spec.replaceAll('/', '-'));
  await mkdir(target, { recursive: true });
  const { stdout } = await run('npm', ['pack', spec, '--json', '--silent', '--pack-destination', target]);
  const packed = packedSchema.parse(JSON.parse(stdout))[0];
  if (integrity !== undefined && packed?.integrity !== integrity) {
    throw new Error(`${spec} is not what it was: its integrity is ${packed?.integrity}`);
  }
  await run('tar', ['-xzf', join(target, packed?.filename ?? ''), '-C', target]);
  return join(target, 'package');
}
