/** The variables that fetched programs and package tools get. None is a secret. */
const passedVariables = [
  'PATH',
  'HOME',
  'TMPDIR',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  // The tests find leaked processes by it.
  'FETTLE_TEST_RUN',
];

/** LC_ALL keeps the messages in English, because patterns match them. */
export function readToolEnvironment(): Record<string, string> {
  const environment: Record<string, string> = { LC_ALL: 'C' };
  for (const name of passedVariables) {
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
