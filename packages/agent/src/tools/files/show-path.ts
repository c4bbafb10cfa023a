/** A name may hold a line end, and would look like two. */
export function showPath(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
