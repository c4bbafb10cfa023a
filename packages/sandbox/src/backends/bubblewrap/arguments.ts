/** The arguments of bwrap. Files that are not listed here do not exist inside the sandbox. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { isWithin, realPathOf } from '../../real-path.ts';
import type { SandboxLimits } from '../limits.ts';
import type { Runtime } from './runtime.ts';

/** Paths inside the sandbox are the same on every machine. */
export const insidePaths = {
  root: '/sandbox',
  node: '/opt/fettle/bin/node',
  main: '/opt/fettle/source/toolbox/main.ts',
  cache: '/opt/fettle/cache',
  ownNode: '/opt/fettle/bin',
  tools: '/opt/fettle/tools',
} as const;

export const systemSearchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** Files that programs need and that contain no secret of this machine. */
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

/** Where the files of one sandbox are on this machine. */
export interface SandboxPaths extends Runtime {
  /** Contains the folders `root` and `tmp`, the only ones that the sandbox can write to. */
  folder: string;
  compileCache: string;
}

export interface BwrapOptions {
  paths: SandboxPaths;
  /** Only for the run that fills the cache, in which no untrusted code runs. */
  cacheWritable: boolean;
  environment: Record<string, string>;
  /** The file descriptor of the seccomp filter. */
  seccompFd: number;
  /** More folders to make visible, read-only, such as a toolchain: the source here, and the path inside. */
  readOnly: readonly { source: string; path: string }[];
}

export function bwrapArguments({
  paths,
  cacheWritable,
  environment,
  seccompFd,
  readOnly,
}: BwrapOptions): string[] {
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
    // Both are tmpfs without a size limit.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', insidePaths.root, '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

/**
 * What a program may reserve in addition to the memory limit without using it. JavaScriptCore, the engine of bun, reserves
 * 4 GB at its start, and Node some for each thread. The cgroup and `watchLimits` enforce what is really used.
 */
const reservedBytes = 8 * 1024 ** 3;

/** Resource limits that every process inherits and none can raise. */
export function limitArguments(
  { memoryBytes, processes, openFiles, diskBytes }: SandboxLimits,
  { hasCgroup }: { hasCgroup: boolean },
): string[] {
  return [
    'prlimit',
    `--nproc=${processes}`,
    `--nofile=${openFiles}`,
    // With a cgroup, the kernel counts what a process uses, not what it has reserved, and reports that it ran out.
    ...(hasCgroup ? [] : [`--data=${memoryBytes + reservedBytes}`]),
    `--fsize=${diskBytes}`,
    '--core=0',
    '--memlock=65536',
    '--msgqueue=819200',
    '--',
  ];
}

/** Returns the system folder that contains this one and that every sandbox can read. */
export function findVisibleParent(folder: string): string | undefined {
  const real = realPathOf(folder);
  return [...systemFolders, ...systemFiles].find((visible) => isWithin(real, realPathOf(visible)));
}

/** On systems with a merged /usr, /bin and the like are symbolic links, and stay links inside. */
function systemArguments(): string[] {
  const folders = systemFolders
    .filter((path) => existsSync(path))
    .flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path],
    );
  const files = systemFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return [...folders, ...files];
}
