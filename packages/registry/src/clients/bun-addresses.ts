/** In bun.lock, `["name@1.0.0", "", …` is a package of the public registry. */
import { maxLockfileBytes } from './change-lockfiles.ts';

const publicPackage = /\["((?:@[^"@/\s]{1,214}\/)?([^"@/\s]{1,214}))@(\d[^"@/\s:]{0,100})", ""(?=,)/g;

/** Undefined if the result would be too large. The same buffer if nothing changed. */
export function addBunAddresses(bytes: Buffer, base: string): Buffer | undefined {
  const text = bytes.toString('latin1');
  const pointed = text.replaceAll(
    publicPackage,
    (_, name: string, short: string, version: string) =>
      `["${name}@${version}", "${base}${name}/-/${short}-${version}.tgz"`,
  );
  return toBuffer(bytes, text, pointed);
}

export function dropBunAddresses(bytes: Buffer, base: string): Buffer | undefined {
  const text = bytes.toString('latin1');
  const pattern = new RegExp(`"${RegExp.escape(base)}[^"\\s]{1,1000}\\.tgz"`, 'g');
  return toBuffer(bytes, text, text.replaceAll(pattern, '""'));
}

function toBuffer(bytes: Buffer, before: string, after: string): Buffer | undefined {
  if (after === before) return bytes;
  return after.length > maxLockfileBytes ? undefined : Buffer.from(after, 'latin1');
}
