const MAX_LENGTH = 40;

/** The closest candidate, if it is close enough to be a typo. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(written.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - written.length) >= least) continue;
    const distance = editDistance(written, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Edit distance; swapping two neighbours counts once. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1;
      let value = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        value = Math.min(value, at(beforeLast, column - 2) + 1);
      }
      current.push(value);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
