import { get } from 'node:http';

const limitMs = 2_000;

/** Why no container engine can be used there, in words; undefined where one answers. */
export function findEngineFault(engine: string): Promise<string | undefined> {
  const url = URL.parse(engine);
  if (!url || !['unix:', 'tcp:', 'http:'].includes(url.protocol))
    return Promise.resolve('DOCKER_HOST names no engine by unix:// or tcp://');
  const isSocket = url.protocol === 'unix:';
  const place = isSocket ? { socketPath: url.pathname } : { host: url.hostname, port: url.port || 2375 };
  const where = isSocket ? url.pathname : url.host;
  return new Promise((resolve) => {
    const asked = get({ ...place, path: '/_ping', timeout: limitMs }, (answer) => {
      answer.resume();
      const { statusCode } = answer;
      resolve(statusCode === 200 ? undefined : `what answers at ${where} is no container engine`);
    });
    asked.on('timeout', () => asked.destroy(new Error('it took too long')));
    asked.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(
        code === 'EACCES' || code === 'EPERM'
          ? `this user may not use the container engine at ${where} (${code})`
          : `no container engine answers at ${where} (${code ?? message})`,
      ),
    );
  });
}
