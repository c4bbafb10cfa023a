/** Quotes names with control characters: a name with a line break would look like two names. */
export function showPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
