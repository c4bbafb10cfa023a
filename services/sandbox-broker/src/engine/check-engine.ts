// What the engine must offer, looked at once at the start: a promise that it cannot keep is found before the first sandbox.
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

export interface EngineOffer {
  /** Whether a volume's size has a hard limit; without, it is watched. */
  diskQuota: boolean;
  /** Where it keeps its volumes, as the engine sees it. */
  engineFolder: string;
}

/** One that is stuck says that it is there, and nothing more: whoever waits for a sandbox has to hear of it. */
const engineTimeoutMs = 20_000;

export async function checkEngine(
  engine: Engine,
  config: Config,
  log: Log,
  limitMs = engineTimeoutMs,
): Promise<EngineOffer> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fault = `DOCKER_HOST: the engine did not answer within ${limitMs / 1000} s`;
    limit = setTimeout(() => reject(new UnavailableError(fault)), limitMs);
  });
  return Promise.race([lookAtEngine(engine, config, log), late]).finally(() => clearTimeout(limit));
}

async function lookAtEngine(engine: Engine, config: Config, log: Log): Promise<EngineOffer> {
  const info = infoSchema.parse(
    await engine.info().catch((error: Error) => {
      throw new UnavailableError(`DOCKER_HOST: no engine answers there: ${error.message}`);
    }),
  );
  if (info.OSType !== 'linux')
    throw new UnavailableError('DOCKER_HOST: the engine does not run Linux containers');
  const known = Object.keys(info.Runtimes);
  if (config.runtime !== undefined && !known.includes(config.runtime)) {
    throw new SettingsError(
      `FETTLE_SANDBOX_RUNTIME: the engine does not know this runtime (it knows ${known.join(', ')})`,
    );
  }
  if (!info.SecurityOptions?.some((option) => option.includes('seccomp'))) {
    throw new UnavailableError(
      'DOCKER_HOST: the engine cannot filter system calls (seccomp), which sandboxes need',
    );
  }
  const { MemoryLimit, SwapLimit, PidsLimit, CpuCfsQuota } = info;
  const missing = Object.entries({ MemoryLimit, SwapLimit, PidsLimit, CpuCfsQuota })
    .filter(([, offered]) => !offered)
    .map(([name]) => name);
  if (missing.length > 0) log.warn({ missing }, 'this kernel cannot keep some of the limits of a sandbox');
  for (const image of config.images) await checkImage(engine, image, log);
  const diskQuota = await tryQuota(engine, config);
  log.info({ diskQuota, runtime: config.runtime }, 'the engine is fit for sandboxes');
  return { diskQuota, engineFolder: info.DockerRootDir };
}

async function checkImage(engine: Engine, name: string, log: Log): Promise<void> {
  let image: z.infer<typeof imageSchema>;
  try {
    image = imageSchema.parse(await engine.getImage(name).inspect());
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 404) throw error;
    log.warn(
      { image: name },
      'an allowed image is not there yet; npm run sandbox:image builds the default one',
    );
    return;
  }
  const volumes = Object.keys(image.Config?.Volumes ?? {});
  if (volumes.length > 0) {
    throw new SettingsError(
      `FETTLE_SANDBOX_IMAGES: ${name} brings volumes of its own (${volumes.join(', ')}), whose size nobody limits`,
    );
  }
  if (image.Config?.Labels?.[usersLabel.name] !== usersLabel.value) {
    throw new UnavailableError(
      `FETTLE_SANDBOX_IMAGES: ${name} does not know the users of this version's sandboxes: build it anew (npm run sandbox:image, then what is built on it)`,
    );
  }
}

/** Only some file systems have quotas, and only trying tells. */
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
