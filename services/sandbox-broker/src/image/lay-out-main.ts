/** Lays out the files of the sandbox image in a folder, for infra/images/sandbox.Dockerfile. Usage: lay-out-main.ts <folder>. */
import { mkdir } from 'node:fs/promises';
import { layOutContext } from './lay-out-context.ts';

const folder = process.argv[2] ?? '/context';
await mkdir(folder, { recursive: true });
await layOutContext(
  folder,
  process.arch === 'arm64' ? 'arm64' : 'x64',
  process.env as Record<string, string>,
);
