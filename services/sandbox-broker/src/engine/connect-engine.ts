import { SettingsError } from '@fettle/settings';
import Docker from 'dockerode';

export type Engine = Docker;

export const defaultEngine = 'unix:///var/run/docker.sock';

/** With a full address, dockerode reads neither the environment nor Docker's settings files. */
export function connectEngine(address: string = defaultEngine): Engine {
  const url = URL.parse(address);
  if (url?.protocol === 'unix:') return new Docker({ socketPath: url.pathname });
  if (url?.protocol === 'tcp:' || url?.protocol === 'http:') {
    return new Docker({ protocol: 'http', host: url.hostname, port: Number(url.port || 2375) });
  }
  throw new SettingsError(`DOCKER_HOST: is not the address of an engine (for example ${defaultEngine})`);
}
