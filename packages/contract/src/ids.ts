import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id that sorts by creation time and is safe in a branch, a file name, a queue and a URL: `op_01kxv3c9m2t8w4r6yq`. */
export function newId(prefix: string, now = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i++) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  const random = Array.from(randomBytes(8), (byte) => alphabet[byte % 32]).join('');
  return `${prefix}_${time}${random}`;
}
