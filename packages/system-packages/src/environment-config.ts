// What the fetched programs and the package tools may see of this process's environment: no secret is among it.
const passedOn = [
  'PATH',
  'HOME',
  'TMPDIR',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  // The tests find a process that was left behind by it.
  'FETTLE_TEST_RUN',
];

/** Messages are in English whatever the person's language, because they are read by pattern. */
export function readToolEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { LC_ALL: 'C' };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  // apt reads the proxies in lower case only.
  for (const name of ['http_proxy', 'https_proxy', 'no_proxy']) {
    const value = environment[name] ?? environment[name.toUpperCase()];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
