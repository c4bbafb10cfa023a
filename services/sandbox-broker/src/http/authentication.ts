import { createHash, timingSafeEqual } from 'node:crypto';
import { FettleError } from '@fettle/contract';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Throws unless the header contains the key. Compares in constant time. */
export function requireKey(key: string): (authorization: string | undefined) => void {
  const expected = digest(key);
  return (authorization) => {
    const [, given] = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(authorization ?? '') ?? [];
    if (given === undefined) throw new FettleError('unauthorized', 'the request has no bearer token');
    if (!timingSafeEqual(digest(given), expected)) {
      throw new FettleError('unauthorized', 'the key is wrong');
    }
  };
}
