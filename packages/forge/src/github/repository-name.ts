/** `owner/name`, as GitHub allows it. */
const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/[\w.-]{1,100}$/;

/** Reads `owner/name` or the web URL of a repository, or of a page in it. Undefined if it names none on this GitHub. */
export function readRepositoryName(input: string, githubUrl: string): string | undefined {
  const text = input.trim();
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) {
    if (url.origin !== new URL(githubUrl).origin || url.username !== '' || url.password !== '')
      return undefined;
    const [owner = '', name = ''] = url.pathname.split('/').filter(Boolean);
    return toName(`${owner}/${name}`);
  }
  return toName(text);
}

function toName(text: string): string | undefined {
  const name = text.replace(/\.git$/, '');
  return namePattern.test(name) && !/\/\.{1,2}$/.test(name) ? name : undefined;
}
