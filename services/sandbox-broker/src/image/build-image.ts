import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engine/connect-engine.ts';
import { layOutContext } from './lay-out-context.ts';
import type { Architecture } from './package-managers.ts';

const architectures: Record<string, Architecture> = { x86_64: 'x64', aarch64: 'arm64' };

export interface BuildOptions {
  tag: string;
  /** Proxies that the packages of the image are fetched through. */
  buildArguments: Record<string, string>;
  onProgress: (text: string) => void;
}

/** Builds the sandbox image on that engine; what has not changed comes from the engine's cache. */
export async function buildImage(engine: Engine, options: BuildOptions): Promise<void> {
  const { Architecture: machine } = await engine.info();
  const architecture = architectures[machine];
  if (architecture === undefined) throw new Error(`there is no sandbox image for ${machine}`);
  const folder = await mkdtemp(join(tmpdir(), 'fettle-image-'));
  try {
    await layOutContext(folder, architecture);
    const output = await engine.buildImage(packContext(folder), {
      t: options.tag,
      buildargs: options.buildArguments,
      networkmode: await findBuildNetwork(engine),
      forcerm: true,
    });
    await followBuild(engine, output, options.onProgress);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An engine that was started without a bridge builds in the host's network. */
async function findBuildNetwork(engine: Engine): Promise<string> {
  const networks = await engine.listNetworks();
  return networks.some(({ Name }) => Name === 'bridge') ? 'default' : 'host';
}

/** With fixed owners, order and times: the same files are the same layers. */
function packContext(folder: string): NodeJS.ReadableStream {
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  const tar = spawn('tar', ['-C', folder, '--exclude=./unpacked', ...options, '-c', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return tar.stdout;
}

function followBuild(
  engine: Engine,
  output: NodeJS.ReadableStream,
  onProgress: (text: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    engine.modem.followProgress(
      output,
      (error: Error | null) => (error === null ? resolve() : reject(error)),
      ({ stream, error }: { stream?: string; error?: string }) => {
        if (error !== undefined) reject(new Error(error));
        if (stream !== undefined) onProgress(stream);
      },
    );
  });
}
