import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { startProgram } from '@fettle/process';
import type { Engine } from '../engine/connect-engine.ts';
import { layOutContext } from './lay-out-context.ts';
import type { Architecture } from './package-managers.ts';

const architectures: Record<string, Architecture> = { x86_64: 'x64', aarch64: 'arm64' };

export interface BuildOptions {
  tag: string;
  /** Proxies for the packages of the image. */
  buildArguments: Record<string, string>;
  /** For npm, which reads its registry, proxies and credentials from it. */
  environment: Record<string, string>;
  onProgress: (text: string) => void;
}

/** Builds the sandbox image on an engine. Unchanged layers come from the engine's cache. */
export async function buildImage(engine: Engine, options: BuildOptions): Promise<void> {
  const { Architecture: machine } = await engine.info();
  const architecture = architectures[machine];
  if (architecture === undefined) throw new Error(`there is no sandbox image for ${machine}`);
  const folder = await mkdtemp(join(tmpdir(), 'fettle-image-'));
  try {
    await layOutContext(folder, architecture, options.environment);
    const output = await engine.buildImage(packContext(folder, options.environment), {
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

/** An engine without a bridge network builds in the host's network. */
async function findBuildNetwork(engine: Engine): Promise<string> {
  const networks = await engine.listNetworks();
  return networks.some(({ Name }) => Name === 'bridge') ? 'default' : 'host';
}

/** Owners, order and times are fixed, so that equal files make equal layers. */
function packContext(folder: string, environment: Record<string, string>): NodeJS.ReadableStream {
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  const argv = ['tar', '-C', folder, '--exclude=./unpacked', ...options, '-c', '.'];
  const { stdout } = startProgram(argv, { environment, stderr: 'inherit' });
  // Piped at once, because execa discards output that has no consumer in the same tick.
  return (stdout as NodeJS.ReadableStream).pipe(new PassThrough());
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
