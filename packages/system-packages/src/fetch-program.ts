import { chmod, copyFile, cp, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runProgram } from '@fettle/process';
import { openAptBox } from './apt-box.ts';
import { readToolEnvironment } from './environment-config.ts';
import { fetchedFolder, listCandidates } from './find-program.ts';
import { collectLibraries, findMissingLibraries } from './linked-libraries.ts';
import { ProgramError } from './program-error.ts';
import type { SystemProgram } from './system-program.ts';

/** Returns the path of the program, and fetches it first if this machine does not have it. */
export async function ensureProgram(home: string, program: SystemProgram): Promise<string> {
  const [found] = await listCandidates(home, program);
  return found ?? (await fetchProgram(home, program));
}

/**
 * Fetches a program from the system's packages into `<home>/tools/<folder>`, without root and without changing the
 * system. The work happens in a folder next to it, which is renamed at the end: a kill leaves nothing half done, and of
 * two fetches at the same time the first one wins.
 */
export async function fetchProgram(home: string, program: SystemProgram): Promise<string> {
  const target = fetchedFolder(resolve(home), program);
  const tools = join(target, '..');
  await mkdir(tools, { recursive: true, mode: 0o700 });
  const work = await mkdtemp(join(tools, `fetching-${program.folder}-`));
  try {
    const unpacked = await unpack(work, program);
    const finished = await layOut(unpacked, join(work, 'finished'), program);
    await proveThatItRuns(join(finished, 'bin', program.name), program);
    await moveIntoPlace(finished, target);
  } catch (error) {
    throw explain(error, program);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return join(target, 'bin', program.name);
}

/** Unpacks the program and, level by level of its dependencies, the libraries that this machine lacks. */
async function unpack(work: string, program: SystemProgram): Promise<string> {
  const box = await openAptBox(join(work, 'apt'), program);
  const root = join(work, 'root');
  let packages = program.packages;
  while (packages.length > 0) {
    await box.unpack(packages, root);
    const missing = await findMissingLibraries(root, join(root, program.path));
    if (missing.length === 0) return root;
    packages = await box.listMissingDependencies(packages);
  }
  const missing = await findMissingLibraries(root, join(root, program.path));
  throw new Error(`no package of this system contains ${missing.join(', ')}`);
}

/** Keeps only the program and the libraries. bin/<name> is a launcher that sets the library path. */
async function layOut(unpacked: string, folder: string, { name, path }: SystemProgram): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'lib'));
  await copyFile(await realpath(join(unpacked, path)), join(folder, 'lib', name));
  for (const library of await collectLibraries(unpacked)) {
    await cp(library.file, join(folder, 'lib', library.name), { dereference: true });
  }
  const launcher = join(folder, 'bin', name);
  await writeFile(launcher, launcherScript(name));
  await chmod(launcher, 0o755);
  return folder;
}

async function proveThatItRuns(file: string, { proof }: SystemProgram): Promise<void> {
  const { exitCode, stderr } = await runProgram([file, ...proof], { environment: readToolEnvironment() });
  if (exitCode !== 0) throw new Error(`it does not run here (exit code ${exitCode}): ${stderr.trim()}`);
}

const launcherScript = (name: string) => `#!/bin/sh
lib=$(dirname "$0")/../lib
LD_LIBRARY_PATH=$lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$lib/${name}" "$@"
`;

async function moveIntoPlace(finished: string, target: string): Promise<void> {
  try {
    await rename(finished, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another fetch was faster. Its result is the same.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

function explain(error: unknown, { name, advice }: SystemProgram): unknown {
  if (error instanceof ProgramError || !(error instanceof Error)) return error;
  return new ProgramError('program_fetch_failed', `${name} could not be fetched: ${error.message}`, {
    advice,
  });
}
