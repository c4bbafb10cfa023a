import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@fettle/process';
import { z } from 'zod';

const packedSchema = z.array(z.object({ filename: z.string(), integrity: z.string() })).length(1);

export interface PackageToUnpack {
  spec: string;
  /** If set, a package with other content is rejected. */
  integrity?: string;
  folder: string;
  environment: Record<string, string>;
}

/** Downloads a package with npm, from npm's configured registry. Returns the folder with its files. */
export async function unpackPackage(options: PackageToUnpack): Promise<string> {
  const { spec, integrity, folder, environment } = options;
  const target = join(folder, 'unpacked', spec.replaceAll('/', '-'));
  await mkdir(target, { recursive: true });
  const pack = ['npm', 'pack', spec, '--json', '--silent', '--pack-destination', target];
  const packed = packedSchema.parse(JSON.parse(await run(pack, environment)))[0];
  if (integrity !== undefined && packed?.integrity !== integrity) {
    throw new Error(`the content of ${spec} has changed: its integrity is ${packed?.integrity}`);
  }
  await run(['tar', '-xzf', join(target, packed?.filename ?? ''), '-C', target], environment);
  return join(target, 'package');
}

async function run(argv: string[], environment: Record<string, string>): Promise<string> {
  const { exitCode, stdout, stderr, error } = await runProgram(argv, { environment });
  if (exitCode === 0) return stdout.toString('utf8');
  throw new Error(`${argv.slice(0, 3).join(' ')} failed: ${error?.message ?? stderr.trim()}`);
}
