/** Values that look like secrets and are not. Each rule checks the value, the text before it on its line, or both. */
export interface LookAlike {
  id: string;
  reason: string;
  /** The end of the line before the value. */
  before?: RegExp;
  value?: RegExp;
  /** In a longer value, such as a whole key, one word says nothing about the rest. */
  mostCharacters?: number;
  /** Only for rules that go by a name or a position. A token with its issuer's prefix is a token wherever it stands. */
  guessesOnly?: true;
  /** `before` and `value` as they stand on a line, separated by `|`. */
  matches: string[];
  leaves: string[];
}

export const lookAlikes: LookAlike[] = [
  {
    id: 'digest',
    reason: 'a digest does not reveal its input',
    before:
      /(?:sha\d{1,3}|md5|blake\d\w?|checksum|digest|integrity|etag|revision|commit|hash)["']?\s?[:=-]{0,2}\s?["']?$/i,
    guessesOnly: true,
    matches: ['FROM node@sha256:|{hx64}', 'token_hash: |{hx64}', '"integrity": "|sha512-{b6486}=='],
    leaves: ['secret = "|{hx64}'],
  },
  {
    id: 'integrity',
    reason: 'subresource integrity and package hashes are public',
    value: /^sha(?:1|256|384|512)[-:]/,
    matches: ['token: "|sha384-{b6464}'],
    leaves: ['secret: "|sha{hx40}'],
  },
  {
    id: 'data-uri',
    reason: 'an image or a font',
    before: /data:[\w/+.;=-]{0,60},[^\s"')]{0,40}$/,
    guessesOnly: true,
    matches: ['url(data:image/png;base64,|{b64100}'],
    leaves: ['data: "|{b64100}'],
  },
  {
    id: 'reference',
    reason: 'refers to a secret store instead of containing the secret',
    value:
      /^(?:\$\{|\$\(|\{\{|<[A-Za-z]|%[A-Z]|env[.:(]|vault:|op:\/\/|arn:|projects\/|ssm:|secretsmanager:|keyvault|@Microsoft\.|!ref|!vault)|(?:^|\W)(?:process\.env|os\.environ|secrets\.[A-Z_]{3})/i,
    mostCharacters: 300,
    matches: ['password: "|op://prod/db/password', 'secret = |arn:aws:secretsmanager:eu-west-1:1:secret:x'],
    leaves: ['secret = "|{an32}'],
  },
  {
    id: 'resource-name',
    reason: 'the end of a reference to a secret that is stored elsewhere',
    before: /(?:arn|urn|vault|secret\/data):[\w:./-]{1,80}$/,
    guessesOnly: true,
    matches: ['arn:aws:secretsmanager:eu-west-1:1:secret:|db-{an6}'],
    leaves: ['secret:|{an24}'],
  },
  {
    id: 'encrypted',
    reason: 'encrypted or hashed: sops, sealed secrets, Ansible vault, git-crypt, bcrypt and similar',
    value:
      /^(?:ENC\[|AgA|AgB[\w+/=]{200}|\$ANSIBLE_VAULT|\$2[aby]\$|\$argon2|\$scrypt|\$pbkdf2|\{SSHA|\{bcrypt|AQICAH)/,
    matches: [
      'password: |ENC[AES256_GCM,data:{b6424}',
      'password: |AgB{b64340}=',
      'token = "|$argon2id$v=19{b6424}',
    ],
    leaves: ['password: |AgB{an24}', 'password: |{an24}'],
  },
  {
    id: 'public-part',
    reason: 'public by its name: public keys, identifiers, kinds, limits, site keys',
    before:
      /(?:public|publishable|anon|recaptcha|site|captcha|vapid|primary|foreign|sort|partition|cache|query|storage|object|dedupe?|idempotency|i18n|translation|locale)[_-]?(?:api[_-]?)?(?:key|token|secret)?["'\]]{0,2}(?:\s?:\s?\w{1,20})?\s{0,4}[:=,]{1,2}>?\s{0,4}["'`]?$|(?:token|key|secret|password|credential)s?[_-]?(?:id|ids|name|type|hash|path|file|url|uri|endpoint|prefix|suffix|count|length|size|pattern|regex|class|label|title|hint|help|message|error|field|column|index|algorithm|alg|version|arn|ref)["'\]]{0,2}(?:\s?:\s?\w{1,20})?\s{0,4}[:=,]{1,2}>?\s{0,4}["'`]?$/i,
    guessesOnly: true,
    matches: [
      'stripe_publishable_key = "|pk_live_{an24}',
      'tokenId: "|{an24}',
      'secretName: |{an24}',
      'cacheKey = `|{an30}',
    ],
    leaves: ['api_key = "|{an24}', 'access_token: |{an24}'],
  },
  {
    id: 'identifier',
    reason: 'content hashes, addresses and ids of known formats that open nothing',
    value:
      /^(?:0x[0-9a-f]{40}(?![0-9a-f])|age1[a-z0-9]{58}|bc1[a-z0-9]{30,60}|(?:price|prod|cus|sub|evt|req|msg|op|acct|pk)_[A-Za-z0-9_]{8,40}|Qm[A-Za-z0-9]{44}|urn:[a-z]|ssh-(?:rsa|ed25519)|AAAA[BCE][A-Za-z0-9])/,
    guessesOnly: true,
    matches: ['token = "|0x{hx40}', 'access_key: |age1{lc58}', 'secret: |pk_test_{an24}'],
    leaves: ['token = "|{hx40}'],
  },
  {
    id: 'alphabet',
    reason: 'an alphabet or a table of characters',
    value: /abcdefghij|ABCDEFGHIJ|0123456789|zyxwvut|qwertyuiop|!"#\$%|AAAAAAA/,
    guessesOnly: true,
    matches: ['token = "|abcdefghijklmnopqrstuvwxyz0123456789+/'],
    leaves: ['token = "|{an40}'],
  },
  {
    id: 'documentation',
    reason: 'the examples of the AWS and Stripe documentation, and words that say that it is an example',
    value:
      /EXAMPLE|(?:^|[_-])example(?:$|[_-])|REDACTED|PLACEHOLDER|placeholder|your[-_]|[-_]here$|x{8,}|X{8,}|\*{4,}|0{12,}|1234567890|changeme/,
    mostCharacters: 300,
    matches: [
      'aws_access_key_id = |AKIAIOSFODNN7EXAMPLE',
      'GITHUB_TOKEN=|ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
    leaves: ['GITHUB_TOKEN=|ghp_{an36}'],
  },
  {
    id: 'pattern',
    reason: 'a regular expression that looks for secrets',
    value: /\[[^\]]{2,20}\]\{\d|\\[wdb][+{*]|\[a-z|\[A-Z|\[0-9/,
    matches: ['token: |gh[pousr]_[A-Za-z0-9]{36}'],
    leaves: ['token: |{an36}'],
  },
];
