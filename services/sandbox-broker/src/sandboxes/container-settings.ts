/**
 * A container's settings, built from the broker's own config. The request contributes only the choice of an allowed image,
 * the time of the warm-up, and two names for labels.
 */
import { FettleError, type StartSandbox } from '@fettle/contract';
import { allocatorSettings, seccompProfile, toDockerProfile, toolboxNodeOptions } from '@fettle/sandbox';
import type { ContainerCreateOptions } from 'dockerode';
import type { Config } from '../config.ts';
import { labels } from './labels.ts';
import { sandboxGroup } from './sandbox-users.ts';

const bytesPerMb = 1024 * 1024;
/** The writable folder in infra/images/sandbox.Dockerfile. */
export const sandboxFolder = '/sandbox';
/** Where tools are, the same as with bubblewrap. */
const toolsFolder = '/opt/fettle/tools';
const toolboxCommand = [
  '/opt/fettle/bin/node',
  ...toolboxNodeOptions,
  '/opt/fettle/toolbox/src/toolbox/main.ts',
];
const seccompOption = `seccomp=${JSON.stringify(toDockerProfile(seccompProfile))}`;
const maxOpenFiles = 4_096;
/** The engine's default list, and more files of the kernel that programs do not need. */
const maskedPaths = [
  ...['/proc/asound', '/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/latency_stats', '/proc/timer_list'],
  ...['/proc/timer_stats', '/proc/sched_debug', '/proc/scsi', '/proc/interrupts', '/proc/kallsyms'],
  ...['/sys/firmware', '/sys/kernel', '/sys/devices/virtual/powercap', '/sys/module'],
];

export interface SandboxToBuild {
  id: string;
  request: StartSandbox;
  /** The uid of this sandbox alone, one of those in the image. */
  user: number;
  expiresAt: Date;
  /** The broker that creates it. */
  brokerProcess: string;
  /** Whether the engine can limit the size of a volume. */
  diskQuota: boolean;
  /** The volume with the tools that it may read. */
  toolsVolume: string;
}

type Settings = Pick<Config, 'identity' | 'images' | 'runtime' | 'limits'>;

export function containerSettings(sandbox: SandboxToBuild, config: Settings): ContainerCreateOptions {
  const { request } = sandbox;
  const ownLabels = labelsOf(sandbox, config.identity);
  return {
    Image: chooseImage(request.image, config.images),
    Labels: ownLabels,
    User: `${sandbox.user}:${sandboxGroup}`,
    WorkingDir: sandboxFolder,
    Hostname: 'sandbox',
    Entrypoint: toolboxCommand,
    Cmd: [],
    Env: [
      'LANG=C.UTF-8',
      ...Object.entries(allocatorSettings).map(([name, value]) => `${name}=${value}`),
      `FETTLE_WARM_UP_AFTER_MS=${request.warmUpAfterMs ?? 0}`,
      `FETTLE_MEMORY_MB=${config.limits.memoryMb}`,
      `FETTLE_CPUS=${Math.ceil(config.limits.cpus)}`,
      'FETTLE_OWN_PROCESSES=1',
    ],
    // Override the image's own settings.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    Tty: false,
    OpenStdin: true,
    // When the broker dies, the toolbox sees the end of its input and exits.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    HostConfig: { ...isolation(config), ...limitsOf(config.limits), ...storage(sandbox, config, ownLabels) },
  };
}

function chooseImage(requested: string | undefined, allowed: Config['images']): string {
  const image = requested ?? allowed[0];
  // Compare the exact spelling, so that an alias cannot select another image.
  if (!allowed.includes(image)) throw new FettleError('forbidden', 'this image is not allowed', 'image');
  return image;
}

export function isolation({ runtime }: Pick<Settings, 'runtime'>) {
  return {
    ...(runtime !== undefined && { Runtime: runtime }),
    Privileged: false,
    ReadonlyRootfs: true,
    CapAdd: [],
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges', seccompOption],
    NetworkMode: 'none',
    IpcMode: 'private',
    PidMode: '',
    UTSMode: '',
    CgroupnsMode: 'private' as const,
    MaskedPaths: maskedPaths,
    Binds: [],
    Devices: [],
    PublishAllPorts: false,
    // An init process that reaps zombies.
    Init: true,
    // The output is a binary protocol, not a log.
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
  };
}

export function limitsOf({ memoryMb, cpus, pids, diskMb }: Config['limits']) {
  return {
    Memory: memoryMb * bytesPerMb,
    // Equal to Memory, so that no swap is used.
    MemorySwap: memoryMb * bytesPerMb,
    NanoCpus: Math.round(cpus * 1e9),
    PidsLimit: pids,
    // When the host runs out of memory, the kernel kills sandboxes first.
    OomScoreAdj: 500,
    ShmSize: 64 * bytesPerMb,
    Ulimits: [
      { Name: 'nofile', Soft: maxOpenFiles, Hard: maxOpenFiles },
      { Name: 'core', Soft: 0, Hard: 0 },
      { Name: 'fsize', Soft: diskMb * bytesPerMb, Hard: diskMb * bytesPerMb },
    ],
  };
}

/** An anonymous volume that is removed with its container, a small /tmp in memory, and the tools, which it can only read. */
function storage(
  { diskQuota, toolsVolume }: SandboxToBuild,
  { limits, identity }: Settings,
  ownLabels: Record<string, string>,
) {
  return {
    Tmpfs: { '/tmp': `rw,exec,nosuid,nodev,mode=1777,size=${limits.tmpMb}m` },
    Mounts: [
      {
        Type: 'volume' as const,
        Source: '',
        Target: sandboxFolder,
        ReadOnly: false,
        VolumeOptions: {
          NoCopy: false,
          Labels: ownLabels,
          DriverConfig: { Name: 'local', Options: quotaOptions(diskQuota, limits.diskMb) },
        },
      },
      toolsMount(toolsVolume, identity),
    ],
  };
}

/** The engine creates the volume with this label if it does not exist yet. */
export function toolsMount(volume: string, identity: string) {
  return {
    Type: 'volume' as const,
    Source: volume,
    Target: toolsFolder,
    ReadOnly: true,
    VolumeOptions: {
      NoCopy: true,
      Labels: { [labels.tools]: identity },
      DriverConfig: { Name: 'local', Options: {} },
    },
  };
}

export function quotaOptions(diskQuota: boolean, diskMb: number): Record<string, string> {
  return diskQuota ? { size: `${diskMb}m` } : {};
}

function labelsOf(sandbox: SandboxToBuild, identity: string): Record<string, string> {
  const { id, request, user, expiresAt, brokerProcess } = sandbox;
  return {
    [labels.sandbox]: id,
    [labels.broker]: identity,
    [labels.process]: brokerProcess,
    [labels.expires]: String(Math.ceil(expiresAt.getTime() / 1000)),
    [labels.user]: String(user),
    ...(request.operation !== undefined && { [labels.operation]: request.operation }),
    ...(request.owner !== undefined && { [labels.owner]: request.owner }),
  };
}
