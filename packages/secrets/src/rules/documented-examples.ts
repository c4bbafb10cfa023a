// Example values from specifications, which many READMEs copy. They are stored as hashes,
// so that no scanner reports them here.
import { createHash } from 'node:crypto';

const hashes = new Set([
  // RFC 6749, OAuth 2: access token, refresh token, code, client credentials and their password, short token.
  '6c96130f130ab0d6',
  '00cf4c781dc37003',
  'a35b81a7d7927b70',
  'ca7459e2b26776de',
  '53f5da0aaa93d64c',
  'ad71fb4165536675',
  // RFC 6749, client secret; RFC 6750, bearer token.
  'e9974c507d2a8021',
  'b8e148545b13c78b',
  // RFC 5849, OAuth 1: keys, token, secret.
  '8d567eb88afff34f',
  '293257ab6495ebb1',
  'bb9b1163338b2a51',
  '9d03b692e941d5ac',
  // RFC 7617, "open sesame"; RFC 6455, the nonce and the key of a handshake.
  'cf4d418ed3de92d7',
  '15cef4b629cc2d07',
  '507e2ce3c522082b',
  // The secret key of the AWS documentation; the token on the front page of jwt.io.
  '78314b11be2e5815',
  '7f75367e78812551',
]);

export function isDocumentedExample(value: string): boolean {
  return value.length < 400 && hashes.has(createHash('sha256').update(value).digest('hex').slice(0, 16));
}
