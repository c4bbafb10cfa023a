// apt-get with all its state in a folder of its own: works without root, without the system's package
// lists, and leaves the system as it was.
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { readToolEnvironment } from './environment-config.ts';
import { composeSource, listMirrors } from './later-release.ts';
import { ProgramError } from './program-error.ts';
import type { SystemProgram } from './system-program.ts';

const timeoutMs = 5 * 60_000;

export interface AptBox {
  /** Downloads packages and unpacks them into a folder, running none of their scripts. */
  unpack(packages: string[], folder: string): Promise<void>;
  /** The libraries that these packages depend on and that this system does not have. */
  listMissingDependencies(packages: string[]): Promise<string[]>;
}

/** With the system's own sources, or with those of another release of Debian from the same mirror. */
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

  // Its exit code says nothing: one unreachable third-party source fails the whole, and the lists of the
  // others are there all the same. What matters is whether the download below finds its package.
  const update = await run('apt-get', ['update']);
  const unpack = async (packages: string[], target: string) => {
    const download = await run('apt-get', ['download', ...packages]);
    if (download.exitCode !== 0) throw downloadFailure(program, `${update.all}\n${download.all}`);
    for (const archive of await readdir(archives)) {
      const unpacked = await run('dpkg-deb', ['-x', archive, target]);
      if (unpacked.exitCode !== 0) throw new Error(`${archive} cannot be unpacked: ${unpacked.all}`);
      await rm(join(archives, archive));
    }
  };
  const listMissingDependencies = async (packages: string[]) => {
    const depends = await run('apt-cache', ['depends', '--important', '--no-breaks', ...packages]);
    const names = [...depends.stdout.matchAll(/^ {1,2}\|?(?:Pre)?Depends: (lib[^\s<>]+)$/gm)].map(
      (match) => match[1] ?? '',
    );
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders are dpkg's own.
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
    const message = `${name} comes from Debian's ${release}, and this system's sources have no mirror of Debian.`;
    throw new ProgramError('program_missing', message, { advice });
  }
  await writeFile(join(folder, 'sources.list'), source);
  await appendFile(
    config,
    [`Dir::Etc::SourceList "${folder}/sources.list";`, 'Dir::Etc::SourceParts "/dev/null";', ''].join('\n'),
  );
}

// The system's settings are not read as they are, because among them are hooks that clean the system's
// caches; only how to reach the sources (proxies, time limits) is taken over.
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
    // As root, apt would become the user `_apt`, who may not write to our folder.
    'APT::Sandbox::User "root";',
    '#clear Acquire::Languages;',
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    '',
  ].join('\n');
}

async function runTool(
  { name, advice }: SystemProgram,
  [tool = '', ...args]: string[],
  at: { cwd: string; environment: Record<string, string> },
) {
  const result = await execa(tool, args, {
    cwd: at.cwd,
    env: at.environment,
    extendEnv: false,
    all: true,
    reject: false,
    stdin: 'ignore',
    timeout: timeoutMs,
  });
  if (result.code === 'ENOENT') {
    const message = `There is no ${name} here, and none can be fetched without ${tool}.`;
    throw new ProgramError('program_missing', message, { advice });
  }
  return result;
}

function downloadFailure({ packages, advice }: SystemProgram, output: string): ProgramError {
  const log = output.trim().split('\n').slice(-12).join('\n');
  const message = `The package sources of this system do not give ${packages.join(', ')}.`;
  return new ProgramError('program_fetch_failed', message, { advice, log });
}
