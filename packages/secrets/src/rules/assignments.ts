/** Values next to a name that marks them as secret. */
import { isPlaceholder } from '../placeholders.ts';
import { looksRandom } from '../randomness.ts';
import type { SecretRule } from './secret-rule.ts';

const names = [
  'pass(?:wor[dt]|wd|phrase|code)',
  'pwd',
  'secret',
  'token',
  'credentials?',
  '(?:api|access|account|auth|client|cookie|deploy|encrypt(?:ion)?|hmac|jwt|license|master|private|service|session|shared|sign(?:ing)?|storage|webhook)[_.-]?key',
  'connection[_-]?string',
  '_key(?=["\'\\]]{0,2}\\s{0,4}[:=])',
].join('|');

const quoted = ['"', "'", '`']
  .map((quote, at) => `${quote}(?<q${at}>[^${quote}\\n]{8,300})${quote}`)
  .join('|');
/** A session token can be longer than the limit for quoted values. */
const long = '["\'`](?<long>[^\\s"\'`]{300,1200})';
const bare = '(?<bare>[^\\s"\'`,;(){}<>[\\]$]{8,300})';
/** `: string = `, `:= `, ` => `, `", "`, `>` of XML. */
const between = `[\\w-]{0,24}["'\\]]{0,2}(?:\\s{0,2}:?\\s{0,2}[\\w|?]{1,24}(?=\\s{0,2}=))?\\s{0,8}(?::=|=>|=|:|,|>)\\s{0,8}[bBrRfNu@]{0,2}`;

function isSecretValue(value: string): boolean {
  return looksRandom(value) && !isPlaceholder(value) && !isCode(value);
}

/** Calls, member paths, templates, URLs and patterns look random, but are not secrets. */
function isCode(value: string): boolean {
  return /[(){}<>]|\$[{(]|^\$[A-Za-z_]|%[sd]|^[.@~]|^https?:|^["[]?[0-9a-f.,]*:[0-9a-f.,:/"\]]*$|\\[dws]|\.\*|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(
    value,
  );
}

export const assignments: SecretRule[] = [
  {
    id: 'assigned-secret',
    severity: 'medium',
    reason: 'a random-looking value next to a name that marks it as secret',
    patterns: [new RegExp(`(?:${names})${between}(?:${quoted}|${long}|${bare})`, 'gi')],
    accepts: isSecretValue,
    matches: [
      'const JWT_SECRET = "{b6448}"',
      'export AWS_SECRET_ACCESS_KEY="{b6440}"',
      'datadog_api_key: {hx32}',
      'const authToken="{hx32}";',
      'DB_PASSWORD={an20}',
      'HEROKU_API_KEY={uuid}',
      '<password>{an20}</password>',
      "xhr.setRequestHeader('X-Api-Key', '{an32}')",
      'private token: string = "{an32}";',
      "'client_secret' => '{an40}'",
    ],
    leaves: [
      'const token = settings.GITHUB_TOKEN ?? "";',
      '{"password":"Passwort","secret":"Geheimnis","token":"Zugriffstoken"}',
      'password = var.db_password',
      'api_key = data.vault_generic_secret.x.data["api_key"]',
      'const secret = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";',
      'password: correct-horse-battery-staple',
      'const tokenType = "urn:ietf:params:oauth:token-type:jwt";',
      'token: createToken(user.id)',
    ],
  },
  {
    id: 'option-secret',
    severity: 'medium',
    reason: 'a secret as a command-line argument, which every user of the machine can read',
    patterns: [
      /--?[\w-]{0,24}(?:password|passwd|token|secret|api-?key)[ =]{1,2}["']?(?<secret>[^\s"'`$<>(){}]{8,300})/gi,
    ],
    accepts: isSecretValue,
    matches: ['tool --api-token {an32} --yes', 'mysql --password={an16}'],
    leaves: ['tool --token "$TOKEN"', 'tool --password-file secrets/db.txt'],
  },
  {
    id: 'login-secret',
    severity: 'medium',
    reason: 'a user name and password, as in .netrc, curl and sshpass',
    patterns: [
      /\blogin\s{1,4}\S{1,80}\s{1,4}password\s{1,4}(?<secret>\S{6,200})/g,
      /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]{1,2}["']?[^\s:"'$]{1,80}:(?<secret>[^\s"'$]{6,200})/g,
      /\bsshpass\s{1,4}-p\s{0,2}["']?(?<secret>[^\s"'$]{6,200})/g,
    ],
    accepts: (value) => looksRandom(value) && !isPlaceholder(value),
    matches: [
      'machine api.acme.io login bot password {an20}',
      'curl -s -u deploy:{an20} https://ci.acme.io',
      "sshpass -p '{an16}' ssh root@acme.io",
    ],
    leaves: [
      'curl -u "$USER:$TOKEN" https://ci.acme.io',
      'login and password are asked for',
      'curl -u user:password x',
    ],
  },
];
