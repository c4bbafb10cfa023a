/** Private keys, signed tokens, and URLs and headers that contain a password. */
import { isPlaceholderPassword } from '../placeholders.ts';
import { looksRandom } from '../randomness.ts';
import type { SecretRule } from './secret-rule.ts';

/** A password in a URL can be any word. Common example passwords are excluded. */
function isAddressPassword(password: string): boolean {
  return !isPlaceholderPassword(password);
}

function isCredentialPair(encoded: string): boolean {
  const pair = Buffer.from(encoded, 'base64').toString('latin1');
  const at = pair.indexOf(':');
  return at > 0 && /^[\x20-\x7e]+$/.test(pair) && !isPlaceholderPassword(pair.slice(at + 1));
}

export const keysAndAddresses: SecretRule[] = [
  {
    id: 'private-key',
    severity: 'high',
    reason: 'a private key, whole or its beginning',
    patterns: [
      /-----BEGIN[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----(?:\s{0,2}[\w-]{1,20}: [^\n]{1,100}\n){0,4}(?:[\w+/=\s:,.]|\\[nr]){16,12000}(?:-----END[A-Z0-9 ]{0,40}-----)?/g,
      // With characters around each line: a comment, a list of strings, a table.
      /-----BEGIN[A-Z0-9 ]{0,40} PRIVATE KEY(?: BLOCK)?-----[^\w\n]{0,12}(?:\n[^\w+/\n]{0,12}[A-Za-z0-9+/]{40,76}={0,2}[^\w+/=\n]{0,12}){2,300}(?:\n[^\w+/\n]{0,12}[A-Za-z0-9+/]{1,76}={0,2})?/g,
    ],
    accepts: (key) => /[A-Za-z0-9+/]{16}/.test(key.replace(/-----[A-Z0-9 ]+-----/g, '')),
    matches: [
      '{dashes}BEGIN RSA PRIVATE KEY{dashes}\nMII{pem1588}\n{dashes}END RSA PRIVATE KEY{dashes}\n',
      '{"private_key":"{dashes}BEGIN PRIVATE KEY{dashes}\\nMII{b6461}\\n{b6464}\\n{dashes}END PRIVATE KEY{dashes}\\n"}',
      '{dashes}BEGIN PGP PRIVATE KEY BLOCK{dashes}\n\nlQVYBG{pem600}\n{dashes}END PGP PRIVATE KEY BLOCK{dashes}',
      '{dashes}BEGIN OPENSSH PRIVATE KEY{dashes}\n{pem220}',
      '# {dashes}BEGIN RSA PRIVATE KEY{dashes}\n# {b6464}\n# {b6464}\n# {b6420}==',
      '"{dashes}BEGIN PRIVATE KEY{dashes}",\n  "{b6464}",\n  "{b6464}",\n  "{b6420}=",',
    ],
    leaves: [
      "if (text.includes('{dashes}BEGIN PRIVATE KEY{dashes}')) return",
      '{dashes}BEGIN CERTIFICATE{dashes}\nMIID{pem1200}\n{dashes}END CERTIFICATE{dashes}',
      '{dashes}BEGIN PUBLIC KEY{dashes}\nMIIB{pem300}\n{dashes}END PUBLIC KEY{dashes}',
    ],
  },
  {
    id: 'ssh2-private-key',
    severity: 'high',
    reason: 'a private key in the format of SSH2',
    patterns: [/---- BEGIN SSH2 [A-Z ]{0,20}PRIVATE KEY ----[\w+/=\s:,.-]{16,8000}/g],
    matches: ['---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: x\n{pem300}\n---- END'],
    leaves: ['---- BEGIN SSH2 PUBLIC KEY ----\n{pem300}'],
  },
  {
    id: 'putty-private-key',
    severity: 'high',
    reason: 'a private key in the format of PuTTY',
    patterns: [/Private-Lines: \d{1,3}\r?\n[A-Za-z0-9+/=]{16,64}/g],
    matches: ['Private-Lines: 14\n{b6464}'],
    leaves: ['Public-Lines: 6\n{b6464}'],
  },
  {
    id: 'json-web-key',
    severity: 'high',
    reason: 'the private part of a JSON web key',
    patterns: [/"(?:d|k|dp|dq|qi)"\s{0,4}:\s{0,4}"(?<secret>[\w-]{40,800})"/g],
    accepts: looksRandom,
    matches: ['{"kty":"EC","d":"{b64u43}"}'],
    leaves: ['{"d":"{dg44}"}'],
  },
  {
    id: 'signed-token',
    severity: 'medium',
    reason: 'a signed JSON web token',
    patterns: [/(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{20,1000}/g],
    matches: ['Bearer eyJ{b64u33}.eyJ{b64u60}.{b64u43}'],
    leaves: ['eyJ{b64u33}.eyJ{b64u60}', 'eyJ{b64u33}'],
  },
  {
    id: 'address-with-password',
    severity: 'high',
    reason: 'a URL of a database, cache, queue or site that contains a password',
    patterns: [/:\/\/[^\s:@/"'`<>]{0,80}:(?<secret>[^\s@/"'`<>[\]{}$]{3,200})@(?=[\w[-])/g],
    accepts: isAddressPassword,
    matches: [
      'url = "postgres://app_rw:{an18}@db.prod.acme.io:5432/core"',
      'rediss://:{an32}@cache.acme.io:6380/0',
      'mongodb+srv://svc:{an12}@cluster0.ab1cd.mongodb.net',
      'amqps://worker:{an16}@queue/vhost',
      'https://deploy:{an20}@git.acme.io/x.git',
    ],
    leaves: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: occurs in scanned code.
      'postgres://${user}:${pass}@${host}/app',
      'postgres://user:password@localhost:5432/db',
      'https://example.com:8080/@scope/name',
      'redis://:<password>@host',
      'http://localhost:3000/users/@me',
    ],
  },
  {
    id: 'authorization-header',
    severity: 'high',
    reason: 'an authorization header with a password or a token',
    patterns: [
      /authorization["']?\s{0,4}[:=,]\s{0,4}["'`]?(?:basic|token|bearer|ssws|apikey)\s{1,4}(?<secret>[\w+/=.~-]{16,2000})/gi,
    ],
    accepts: (value) => isCredentialPair(value) || looksRandom(value),
    matches: ['curl -H "Authorization: Bearer {an40}"', "'Authorization': 'token {hx40}'"],
    leaves: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: occurs in scanned code.
      'Authorization: Bearer ${token}',
      'Authorization: Bearer <your-token-goes-here>',
      'authorization: bearer access_token_from_login',
    ],
  },
  {
    id: 'basic-credential',
    severity: 'high',
    reason: 'a user name and password in base64, as in Docker’s config',
    patterns: [
      /\bbasic\s{1,4}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})/gi,
      /"auth"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/]{12,400}={0,2})/g,
    ],
    accepts: isCredentialPair,
    matches: ['Authorization: Basic {pair}', '{"auths":{"x":{"auth":"{pair}"}}}'],
    leaves: ['basic authentication is what we use', '"auth": "{b6433}"'],
  },
];
