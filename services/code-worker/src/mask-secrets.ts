const shortest = 8;

/** Takes the installation's own secrets out of a text, should they ever come back to us from outside. */
export function createMask(secrets: string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= shortest);
  return (text) => known.reduce((masked, secret) => masked.replaceAll(secret, '[masked]'), text);
}
