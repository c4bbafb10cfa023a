import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { startProgram } from '@fettle/process';
import type { Engine } from '../engine/connect-engine.ts';
import { layOutContext } from './lay-out-context.ts';
import type { Architecture } from './package-managers.ts';

const workspace = join(import.meta.dirname, '../../../..');
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
    await writeDockerfile(folder);
    const context = join(folder, 'context');
    await mkdir(context);
    await layOutContext(context, architecture, options.environment);
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

/** Compose lays the context out in stages of the Dockerfile. Here it is laid out already, which needs no image with Node. */
async function writeDockerfile(folder: string): Promise<void> {
  const whole = await readFile(join(workspace, 'infra/images/sandbox.Dockerfile'), 'utf8');
  const ours = '# context begins\nFROM scratch AS context\nCOPY context /context\n';
  await writeFile(
    join(folder, 'Dockerfile'),
    whole.replace(/^# context begins$[\s\S]*^(?=# context ends$)/m, ours),
  );
}

/** An engine without a bridge network builds in the host's network. */
async function findBuildNetwork(engine: Engine): Promise<string> {
  const networks = await engine.listNetworks();
  return networks.some(({ Name }) => Name === 'bridge') ? 'default' : 'host';
}

/** Owners, order and times are fixed, so that equal files make equal layers. */
function packContext(folder: string, environment: Record<string, string>): NodeJS.ReadableStream {
  const options = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  const argv = ['tar', '-C', folder, ...options, '-c', '.'];
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
