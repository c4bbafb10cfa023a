/** Unpacks the archive of a tool into the volume, in a container of its own. */
import type { Readable } from 'node:stream';
import { FettleError } from '@fettle/contract';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/connect-engine.ts';
import { demultiplex } from '../engine/demultiplex.ts';
import { removeContainer } from '../sandboxes/end-sandbox.ts';
import { attach } from '../sandboxes/start-container.ts';
import { type Filling, fillerSettings } from './filler-settings.ts';

const maxErrorLength = 500;
/** Exit codes of unpack-tool.sh. */
const volumeFull = 3;
const wrongDigest = 4;

export interface FillPlace {
  engine: Engine;
  config: Config;
  /** Ends the container. */
  signal: AbortSignal;
}

export type Filled = 'filled' | 'full';

export async function fillVolume(
  filling: Filling,
  archive: Readable,
  { engine, config, signal: abortSignal }: FillPlace,
): Promise<Filled> {
  const name = `fettle-tool-${filling.id}`;
  const settings = { _query: { name }, _body: fillerSettings(filling, config), abortSignal };
  const container = engine.getContainer(name);
  try {
    await engine.createContainer(settings);
    const attached = await attach(container);
    abortSignal.addEventListener('abort', () => attached.destroy());
    try {
      await container.start({ abortSignal });
      const message = await pass(archive, attached);
      const { StatusCode } = (await container.wait({ abortSignal })) as { StatusCode: number };
      if (StatusCode === 0) return 'filled';
      if (StatusCode === volumeFull) return 'full';
      const code = StatusCode === wrongDigest ? 'bad_request' : 'unavailable';
      throw new FettleError(code, `the tool could not be unpacked: ${message.trim() || StatusCode}`);
    } finally {
      attached.destroy();
    }
  } finally {
    // A container that was not created counts as removed.
    await removeContainer(container);
  }
}

/** Passes the archive on, and returns what the container reports. An archive that ends early has another digest. */
async function pass(archive: Readable, attached: NodeJS.ReadWriteStream & Readable): Promise<string> {
  let message = '';
  for (const stream of [archive, attached]) stream.on('error', () => {});
  archive.once('close', () => void (archive.readableEnded || attached.end()));
  archive.pipe(attached);
  try {
    for await (const { bytes } of demultiplex(attached)) {
      message = (message + bytes.toString('utf8')).slice(-maxErrorLength);
    }
  } catch {
    // The exit code tells how it ended.
  }
  archive.unpipe(attached);
  archive.resume();
  return message;
}
