// A container's settings, built from the broker's own config. From the request come three things only: which of the allowed
// images, when the toolbox warms up, and two names for labels.
import { FettleError, type StartSandbox } from '@fettle/contract';
import { allocatorSettings, seccompProfile, toDockerProfile, toolboxNodeOptions } from '@fettle/sandbox';
import type { ContainerCreateOptions } from 'dockerode';
import type { Config } from '../config.ts';
import { labels } from './labels.ts';
import { sandboxGroup } from './sandbox-users.ts';

const bytesPerMb = 1024 * 1024;
/** The folder of infra/images/sandbox.Dockerfile that its users may write to. */
export const sandboxFolder = '/sandbox';
const toolboxCommand = [
  '/opt/fettle/bin/node',
  ...toolboxNodeOptions,
  '/opt/fettle/toolbox/src/toolbox/main.ts',
];
const seccompOption = `seccomp=${JSON.stringify(toDockerProfile(seccompProfile))}`;
const maxOpenFiles = 4_096;
/** The engine's own list, and what else of the kernel's a program has no use for. */
const maskedPaths = [
  ...['/proc/asound', '/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/latency_stats', '/proc/timer_list'],
  ...['/proc/timer_stats', '/proc/sched_debug', '/proc/scsi', '/proc/interrupts', '/proc/kallsyms'],
  ...['/sys/firmware', '/sys/kernel', '/sys/devices/virtual/powercap', '/sys/module'],
];

export interface SandboxToBuild {
  id: string;
  request: StartSandbox;
  /** One of those that the image knows, its own for as long as it lives. */
  user: number;
  expiresAt: Date;
  /** The broker that makes it. */
  brokerProcess: string;
  /** Whether the engine can hold a volume to a size. */
  diskQuota: boolean;
}

type Settings = Pick<Config, 'identity' | 'images' | 'runtime' | 'limits'>;

export function containerSettings(sandbox: SandboxToBuild, config: Settings): ContainerCreateOptions {
  const { request } = sandbox;
  const marks = labelsOf(sandbox, config.identity);
  return {
    Image: chooseImage(request.image, config.images),
    Labels: marks,
    User: `${sandbox.user}:${sandboxGroup}`,
    WorkingDir: sandboxFolder,
    Hostname: 'sandbox',
    Entrypoint: toolboxCommand,
    Cmd: [],
    Env: [
      'LANG=C.UTF-8',
      ...Object.entries(allocatorSettings).map(([name, value]) => `${name}=${value}`),
      `FETTLE_WARM_UP_AFTER_MS=${request.warmUpAfterMs ?? 0}`,
      'FETTLE_OWN_PROCESSES=1',
    ],
    // What an image says about these is not asked.
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    Tty: false,
    OpenStdin: true,
    // The toolbox sees the end of its input when the broker is gone, and ends.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    HostConfig: { ...isolation(config), ...limitsOf(config.limits), ...storage(sandbox, config, marks) },
  };
}

function chooseImage(asked: string | undefined, allowed: Config['images']): string {
  const image = asked ?? allowed[0];
  // By exact spelling: no second way to write a name can lead elsewhere.
  if (!allowed.includes(image)) throw new FettleError('forbidden', 'this image is not allowed', 'image');
  return image;
}

function isolation({ runtime }: Settings) {
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
    // Reaps what commands leave behind.
    Init: true,
    // What the toolbox says is a protocol, none of it for a log.
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    AutoRemove: false,
  };
}

function limitsOf({ memoryMb, cpus, pids, diskMb }: Config['limits']) {
  return {
    Memory: memoryMb * bytesPerMb,
    // The same, so that none of it is swap.
    MemorySwap: memoryMb * bytesPerMb,
    NanoCpus: Math.round(cpus * 1e9),
    PidsLimit: pids,
    // A host without memory takes it from sandboxes first.
    OomScoreAdj: 500,
    ShmSize: 64 * bytesPerMb,
    Ulimits: [
      { Name: 'nofile', Soft: maxOpenFiles, Hard: maxOpenFiles },
      { Name: 'core', Soft: 0, Hard: 0 },
      { Name: 'fsize', Soft: diskMb * bytesPerMb, Hard: diskMb * bytesPerMb },
    ],
  };
}

/** One new volume without a name, which goes with its container, and a small /tmp in memory. */
function storage({ diskQuota }: SandboxToBuild, { limits }: Settings, marks: Record<string, string>) {
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
          Labels: marks,
          DriverConfig: { Name: 'local', Options: quotaOptions(diskQuota, limits.diskMb) },
        },
      },
    ],
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
