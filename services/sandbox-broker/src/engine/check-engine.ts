/** Checks at startup whether the engine supports what sandboxes need. */
import type { Log } from '@fettle/log';
import { SettingsError, UnavailableError } from '@fettle/settings';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { quotaOptions } from '../sandboxes/container-settings.ts';
import { labels } from '../sandboxes/labels.ts';
import { usersLabel } from '../sandboxes/sandbox-users.ts';
import type { Engine } from './connect-engine.ts';

const infoSchema = z.object({
  OSType: z.string(),
  DockerRootDir: z.string().default('/var/lib/docker'),
  Runtimes: z.record(z.string(), z.unknown()),
  SecurityOptions: z.array(z.string()).nullish(),
  MemoryLimit: z.boolean().default(true),
  SwapLimit: z.boolean().default(true),
  PidsLimit: z.boolean().default(true),
  CpuCfsQuota: z.boolean().default(true),
});
const imageSchema = z.object({
  Config: z
    .object({
      Volumes: z.record(z.string(), z.unknown()).nullish(),
      Labels: z.record(z.string(), z.string()).nullish(),
    })
    .nullish(),
});

export interface EngineFeatures {
  /** Whether the engine can limit the size of volumes. If not, `watchDisk` enforces the limit. */
  diskQuota: boolean;
  /** Where the engine stores its volumes, as seen by the engine. */
  engineFolder: string;
}

/** A hanging engine accepts connections but never responds. Callers that wait for a sandbox need an error. */
const engineTimeoutMs = 20_000;

export async function checkEngine(
  engine: Engine,
  config: Config,
  log: Log,
  timeoutMs = engineTimeoutMs,
): Promise<EngineFeatures> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `DOCKER_HOST: the engine did not answer within ${timeoutMs / 1000} s`;
    timer = setTimeout(() => reject(new UnavailableError(message)), timeoutMs);
  });
  return Promise.race([readFeatures(engine, config, log), late]).finally(() => clearTimeout(timer));
}

async function readFeatures(engine: Engine, config: Config, log: Log): Promise<EngineFeatures> {
  const info = infoSchema.parse(
    await engine.info().catch((error: Error) => {
      throw new UnavailableError(`DOCKER_HOST: no engine answers at this address: ${error.message}`);
    }),
  );
  if (info.OSType !== 'linux')
    throw new UnavailableError('DOCKER_HOST: the engine does not run Linux containers');
  const known = Object.keys(info.Runtimes);
  if (config.runtime !== undefined && !known.includes(config.runtime)) {
    throw new SettingsError(
      `FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime (known: ${known.join(', ')})`,
    );
  }
  if (!info.SecurityOptions?.some((option) => option.includes('seccomp'))) {
    throw new UnavailableError('DOCKER_HOST: the engine does not support seccomp, which sandboxes need');
  }
  const { MemoryLimit, SwapLimit, PidsLimit, CpuCfsQuota } = info;
  const missing = Object.entries({ MemoryLimit, SwapLimit, PidsLimit, CpuCfsQuota })
    .filter(([, offered]) => !offered)
    .map(([name]) => name);
  if (missing.length > 0) log.warn({ missing }, 'this kernel cannot enforce some limits of sandboxes');
  for (const image of config.images) await checkImage(engine, image, log);
  const diskQuota = await tryQuota(engine, config);
  log.info({ diskQuota, runtime: config.runtime }, 'the engine supports sandboxes');
  return { diskQuota, engineFolder: info.DockerRootDir };
}

async function checkImage(engine: Engine, name: string, log: Log): Promise<void> {
  let image: z.infer<typeof imageSchema>;
  try {
    image = imageSchema.parse(await engine.getImage(name).inspect());
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
    log.warn({ image: name }, 'an allowed image is missing; npm run sandbox:image builds the default one');
    return;
  }
  const volumes = Object.keys(image.Config?.Volumes ?? {});
  if (volumes.length > 0) {
    throw new SettingsError(
      `FETTLE_SANDBOX_IMAGES: ${name} declares volumes (${volumes.join(', ')}), whose size cannot be limited`,
    );
  }
  if (image.Config?.Labels?.[usersLabel.name] !== usersLabel.value) {
    throw new UnavailableError(
      `FETTLE_SANDBOX_IMAGES: ${name} does not know the users of this version's sandboxes: rebuild it (npm run sandbox:image, then the images based on it)`,
    );
  }
}

/** Only some file systems have quotas. Only a trial shows that. */
async function tryQuota(engine: Engine, config: Config): Promise<boolean> {
  try {
    const volume = await engine.createVolume({
      Driver: 'local',
      DriverOpts: quotaOptions(true, config.limits.diskMb),
      Labels: { [labels.sandbox]: 'trial', [labels.broker]: config.identity, [labels.expires]: '0' },
    });
    await volume.remove();
    return true;
  } catch {
    return false;
  }
}
