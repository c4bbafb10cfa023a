/** Comments that never trigger anything: Fettle's own, and those of other bots. */
import { z } from 'zod';

/** Every comment of Fettle begins with a marker, because with a personal token its account is that of a person. */
const markerStart = '<!-- fettle:';

export const markerFor = (key: string) => `${markerStart}${key} -->`;

export interface Written {
  body: string;
  user: { login: string; type?: string | undefined };
}

export function isByBot({ body, user }: Written): boolean {
  return body.trimStart().startsWith(markerStart) || user.type === 'Bot' || user.login.endsWith('[bot]');
}

const idSchema = z.array(z.object({ id: z.number(), body: z.string().nullish() }));

/** Finds a comment with this marker in a page of comments. */
export function findMarked(page: unknown, key: string): number | undefined {
  return idSchema.parse(page).find(({ body }) => body?.startsWith(markerFor(key)))?.id;
}
