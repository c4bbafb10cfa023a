/** Runs apt-get with all its state in a folder of its own: without root, and without changing the system. */
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '@fettle/process';
import { readToolEnvironment } from './environment-config.ts';
import { composeSource, listMirrors } from './later-release.ts';
import { ProgramError } from './program-error.ts';
import type { SystemProgram } from './system-program.ts';

const timeoutMs = 5 * 60_000;

export interface AptBox {
  /** Downloads packages and unpacks them into a folder, without running their scripts. */
  unpack(packages: string[], folder: string): Promise<void>;
  /** Lists the libraries that these packages depend on and that this system lacks. */
  listMissingDependencies(packages: string[]): Promise<string[]>;
}

/** Uses the system's package sources, or another release of Debian from the same mirror. */
export async function openAptBox(folder: string, program: SystemProgram): Promise<AptBox> {
  const archives = join(folder, 'archives');
  await mkdir(join(folder, 'state/lists/partial'), { recursive: true });
  await mkdir(join(folder, 'cache/archives/partial'), { recursive: true });
  await mkdir(join(folder, 'apt.conf.d'));
  await mkdir(archives);
  const config = join(folder, 'apt.conf');
  await writeFile(config, await describeBox(folder, program));
  const environment = { ...readToolEnvironment(), APT_CONFIG: config };
  const run: Run = (tool, args) => runTool(program, [tool, ...args], { cwd: archives, environment });
  if (program.release !== undefined) await useRelease(program, { folder, config, run });

  // The exit code is ignored: one unreachable third-party source makes it fail, although the other lists are there.
  // What matters is whether the download below finds its package.
  const update = await run('apt-get', ['update']);
  const unpack = async (packages: string[], target: string) => {
    const download = await run('apt-get', ['download', ...packages]);
    if (download.exitCode !== 0) throw downloadFailure(program, `${update.output}\n${download.output}`);
    for (const archive of await readdir(archives)) {
      const unpacked = await run('dpkg-deb', ['-x', archive, target]);
      if (unpacked.exitCode !== 0) throw new Error(`${archive} cannot be unpacked: ${unpacked.output}`);
      await rm(join(archives, archive));
    }
  };
  const listMissingDependencies = async (packages: string[]) => {
    const depends = await run('apt-cache', ['depends', '--important', '--no-breaks', ...packages]);
    const names = [...depends.stdout.matchAll(/^ {1,2}\|?(?:Pre)?Depends: (lib[^\s<>]+)$/gm)].map(
      (match) => match[1] ?? '',
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: these are placeholders of dpkg.
    const installed = await run('dpkg-query', ['-W', '-f=${binary:Package} ${db:Status-Abbrev}\n']);
    const present = new Set([...installed.stdout.matchAll(/^([^\s:]+)\S* ii/gm)].map((match) => match[1]));
    return [...new Set(names)].filter((name) => !present.has(name));
  };
  return { unpack, listMissingDependencies };
}

type Run = (tool: string, args: string[]) => ReturnType<typeof runTool>;

async function useRelease(
  { name, release = '', advice }: SystemProgram,
  { folder, config, run }: { folder: string; config: string; run: Run },
): Promise<void> {
  const { stdout } = await run('apt-get', listMirrors);
  const source = composeSource(stdout, release);
  if (source === undefined) {
    const message = `${name} is part of Debian ${release}, but no package source of this system is a Debian mirror.`;
    throw new ProgramError('program_missing', message, { advice });
  }
  await writeFile(join(folder, 'sources.list'), source);
  await appendFile(
    config,
    [`Dir::Etc::SourceList "${folder}/sources.list";`, 'Dir::Etc::SourceParts "/dev/null";', ''].join('\n'),
  );
}

// Only the Acquire settings of the system (proxies, timeouts) are used. Its other settings contain hooks that clean the
// caches of the system.
async function describeBox(folder: string, program: SystemProgram): Promise<string> {
  const system = await runTool(program, ['apt-config', 'dump', 'Acquire'], {
    cwd: folder,
    environment: readToolEnvironment(),
  });
  return [
    system.stdout,
    'Dir::Etc::Main "/dev/null";',
    `Dir::Etc::Parts "${folder}/apt.conf.d";`,
    `Dir::State "${folder}/state";`,
    'Dir::State::status "/var/lib/dpkg/status";',
    `Dir::Cache "${folder}/cache";`,
    `Dir::Log "${folder}";`,
    // As root, apt would switch to the user `_apt`, who cannot write to our folder.
    'APT::Sandbox::User "root";',
    '#clear Acquire::Languages;',
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    '',
  ].join('\n');
}

async function runTool(
  { name, advice }: SystemProgram,
  argv: string[],
  at: { cwd: string; environment: Record<string, string> },
) {
  const { stopped, exitCode, stdout, stderr } = await runProgram(argv, { ...at, timeoutMs });
  if (stopped === 'not_found') {
    const message = `${name} is not installed, and cannot be fetched without ${argv[0]}.`;
    throw new ProgramError('program_missing', message, { advice });
  }
  const text = stdout.toString('utf8');
  return { exitCode, stdout: text, output: `${text}${stderr}` };
}

function downloadFailure({ packages, advice }: SystemProgram, output: string): ProgramError {
  const log = output.trim().split('\n').slice(-12).join('\n');
  const message = `The package sources of this system do not have ${packages.join(', ')}.`;
  return new ProgramError('program_fetch_failed', message, { advice, log });
}
