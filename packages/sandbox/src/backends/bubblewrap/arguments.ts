// The walls, as arguments of bwrap. What is not named here does not exist inside.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { isWithin, realPathOf } from '../../real-path.ts';
import type { SandboxLimits } from '../limits.ts';
import type { Runtime } from './runtime.ts';

/** Inside, everything has the same place on every machine. */
export const insidePaths = {
  root: '/sandbox',
  node: '/opt/fettle/bin/node',
  main: '/opt/fettle/source/toolbox/main.ts',
  cache: '/opt/fettle/cache',
} as const;

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** What programs read without holding a secret of this machine. */
const systemFiles = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];
const sharedMemoryBytes = 64 * 1024 ** 2;

/** Where the things of one sandbox are on this machine. */
export interface WallPaths extends Runtime {
  /** The folders `root` and `tmp`, of this sandbox alone: all that it can write to. */
  folder: string;
  compileCache: string;
}

export interface WallOptions {
  paths: WallPaths;
  /** Only for the run that fills the cache, in which nothing foreign takes part. */
  cacheWritable: boolean;
  environment: Record<string, string>;
  /** The number of the open file that holds the seccomp filter. */
  seccompFd: number;
  /** Further folders of this machine to be seen, read-only, such as a toolchain's: from where, and by which path. */
  readOnly: readonly { source: string; path: string }[];
}

export function wallArguments({
  paths,
  cacheWritable,
  environment,
  seccompFd,
  readOnly,
}: WallOptions): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--assert-userns-disabled'],
    ...['--uid', '1001', '--gid', '1001', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
    ...['--new-session', '--die-with-parent', '--seccomp', String(seccompFd)],
    ...systemArguments(),
    ...readOnly.flatMap(({ source, path }) => ['--ro-bind', source, path]),
    ...['passwd', 'group', 'hosts', 'nsswitch.conf'].flatMap((name) => [
      ...['--ro-bind', `${paths.etc}/${name}`, `/etc/${name}`],
    ]),
    ...['--ro-bind', paths.node, insidePaths.node],
    ...['--ro-bind', paths.toolbox, '/opt/fettle/source/toolbox'],
    ...['--ro-bind', paths.protocol, '/opt/fettle/source/protocol'],
    ...['--ro-bind', paths.proc, '/opt/fettle/source/proc'],
    ...['--ro-bind', paths.ignore, '/opt/fettle/node_modules/ignore'],
    // A link, because Node strips types only outside of node_modules.
    ...['--ro-bind', paths.globs, '/opt/fettle/source/globs'],
    ...['--symlink', '../../source/globs', '/opt/fettle/node_modules/@fettle/globs'],
    ...[cacheWritable ? '--bind' : '--ro-bind', paths.compileCache, insidePaths.cache],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', String(sharedMemoryBytes), '--tmpfs', '/dev/shm'],
    ...['--bind', `${paths.folder}/root`, insidePaths.root, '--bind', `${paths.folder}/tmp`, '/tmp'],
    // These two are in memory, without a limit of their own.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', insidePaths.root, '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/** Node asks for this much before it uses any; less memory than that is held by the control group and the watch. */
const minDataBytes = 1024 ** 3;

/** Limits that every process inherits and none can raise. */
export function limitArguments({ memoryBytes, processes, openFiles, diskBytes }: SandboxLimits): string[] {
  return [
    'prlimit',
    `--nproc=${processes}`,
    `--nofile=${openFiles}`,
    `--data=${Math.max(memoryBytes, minDataBytes)}`,
    `--fsize=${diskBytes}`,
    '--core=0',
    '--memlock=65536',
    '--msgqueue=819200',
    '--',
  ];
}

/** The system's folder that this one is in, which every sandbox reads. */
export function findShownAround(folder: string): string | undefined {
  const real = realPathOf(folder);
  return [...systemFolders, ...systemFiles].find((shown) => isWithin(real, realPathOf(shown)));
}

/** On merged systems /bin and its like are links into /usr, and stay links. */
function systemArguments(): string[] {
  const folders = systemFolders
    .filter((path) => existsSync(path))
    .flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    );
  const files = systemFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return [...folders, ...files];
}
