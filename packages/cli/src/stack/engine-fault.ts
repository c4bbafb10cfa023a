import { get } from 'node:http';

const timeoutMs = 2_000;

/** Returns why no container engine can be used at this address, or undefined. */
export function findEngineFault(engine: string): Promise<string | undefined> {
  const url = URL.parse(engine);
  if (!url || !['unix:', 'tcp:', 'http:'].includes(url.protocol))
    return Promise.resolve('DOCKER_HOST is not a unix:// or tcp:// address');
  const isSocket = url.protocol === 'unix:';
  const place = isSocket ? { socketPath: url.pathname } : { host: url.hostname, port: url.port || 2375 };
  const where = isSocket ? url.pathname : url.host;
  return new Promise((resolve) => {
    const asked = get({ ...place, path: '/_ping', timeout: timeoutMs }, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      resolve(statusCode === 200 ? undefined : `the server at ${where} is not a container engine`);
    });
    asked.on('timeout', () => asked.destroy(new Error('timeout')));
    asked.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(
        code === 'EACCES' || code === 'EPERM'
          ? `permission denied for the container engine at ${where} (${code})`
          : `no container engine answers at ${where} (${code ?? message})`,
      ),
    );
  });
}
