/**
 * The settings of the container that unpacks a tool into the volume. Everything is built here: the request contributes the
 * name of a tool in a fixed list, a version and a digest, which the schema limits to a few characters.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SandboxTool, sandboxToolFolder } from '@fettle/contract';
import { packageOf } from '@fettle/toolchain/tool-table';
import type { ContainerCreateOptions } from 'dockerode';
import type { Config } from '../config.ts';
import { isolation, limitsOf, toolsMount } from '../sandboxes/container-settings.ts';
import { labels } from '../sandboxes/labels.ts';

const script = readFileSync(join(import.meta.dirname, 'unpack-tool.sh'), 'utf8');

export interface Filling {
  /** For its labels, by which a leftover is found. */
  id: string;
  brokerProcess: string;
  expiresAt: Date;
  volume: string;
  tool: SandboxTool;
  /** The age at which the draft of another container is removed. Longer than a filler may run. */
  draftMinutes: number;
}

type Settings = Pick<Config, 'identity' | 'images' | 'runtime' | 'limits' | 'toolsMb'>;

export function fillerSettings(filling: Filling, config: Settings): ContainerCreateOptions {
  const { id, brokerProcess, expiresAt, volume, tool, draftMinutes } = filling;
  const { programs } = packageOf(tool.tool, tool.version);
  const listed = programs === undefined ? '' : JSON.stringify(programs);
  const sizes = [String(config.toolsMb), String(draftMinutes)];
  return {
    Image: config.images[0],
    Labels: {
      [labels.sandbox]: id,
      [labels.broker]: config.identity,
      [labels.process]: brokerProcess,
      [labels.expires]: String(Math.ceil(expiresAt.getTime() / 1000)),
    },
    // The owner of the volume, without any capability. No sandbox has this user.
    User: '0:0',
    WorkingDir: '/',
    Hostname: 'tools',
    Entrypoint: [
      '/bin/sh',
      '-c',
      script,
      'unpack-tool',
      sandboxToolFolder(tool),
      tool.digest,
      listed,
      ...sizes,
    ],
    Cmd: [],
    Env: ['LANG=C.UTF-8'],
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: {},
    Tty: false,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    HostConfig: {
      ...isolation(config),
      ...limitsOf(config.limits),
      Mounts: [{ ...toolsMount(volume, config.identity), ReadOnly: false }],
    },
  };
}
