export interface Identity {
  name: string;
  email: string;
}

/** Git's format `Name <email> seconds zone`. Characters that would break the format are removed. */
export function formatIdentity(identity: Identity, dateSeconds: number): string {
  const { name, email } = cleanIdentity(identity);
  return `${name} <${email}> ${Math.trunc(dateSeconds)} +0000`;
}

export function identityEnvironment(
  role: 'AUTHOR' | 'COMMITTER',
  identity: Identity,
  dateSeconds: number,
): Record<string, string> {
  const { name, email } = cleanIdentity(identity);
  return {
    [`GIT_${role}_NAME`]: name,
    [`GIT_${role}_EMAIL`]: email,
    [`GIT_${role}_DATE`]: `@${Math.trunc(dateSeconds)} +0000`,
  };
}

function cleanIdentity({ name, email }: Identity): Identity {
  return { name: clean(name) || clean(email) || 'unknown', email: clean(email) };
}

function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/[<>\s\p{Cc}]+/gu, ' ')
    .trim();
}
