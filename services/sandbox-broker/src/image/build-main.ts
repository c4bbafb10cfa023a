/** `npm run sandbox:image`: builds the sandbox image on this machine's engine and prints its name. */
import { SettingsError, startOrExplain } from '@fettle/settings';
import { connectEngine } from '../engine/connect-engine.ts';
import { buildImage } from './build-image.ts';
import { defaultImage } from './default-image.ts';

const proxyNames = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

await startOrExplain(async () => {
  const engine = connectEngine(process.env.DOCKER_HOST || undefined);
  await engine.ping().catch((error: Error) => {
    throw new SettingsError(`DOCKER_HOST: no engine answers at this address: ${error.message}`);
  });
  const buildArguments = Object.fromEntries(
    proxyNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  const onProgress = (text: string): void => void process.stderr.write(text);
  await buildImage(engine, {
    tag: defaultImage,
    buildArguments,
    environment: process.env as Record<string, string>,
    onProgress,
  });
  process.stdout.write(`${defaultImage}\n`);
});
