import { type Duplex, pipeline } from 'node:stream';

/** Passes bytes on in both directions. Each direction ends by itself; an error ends both. */
export function joinStreams(one: Duplex, other: Duplex): void {
  pipeline(one, other, (error) => error && other.destroy());
  pipeline(other, one, (error) => error && one.destroy());
}
