/** Placeholders that people write in place of a secret. */

const words =
  /example|placeholder|change[-_]?me|your[-_ ]|[-_]here\b|dummy|redact|replace|insert|\bfake|sample|notreal|not[-_]a[-_]|x{6,}|\*{3,}|\.{3}|…|0{8,}|12345678|87654321|abcdefgh|deadbeef|0123456789|lorem|foobar/i;

/** Two equal halves, or a few characters repeated. */
function isRepetitive(value: string): boolean {
  return new Set(value.toLowerCase()).size <= Math.max(2, Math.min(4, value.length / 8));
}

export function isPlaceholder(value: string): boolean {
  return words.test(value) || isRepetitive(value);
}

const usualPasswords =
  /^(?:my|your|the|some|super|test|db|app|root|admin|user|strong|very)?[-_]?(?:secure|secret|strong)?[-_]?(?:secret|p[a@]ss(?:w[o0]rd|wd|wort|phrase)?|pwd|pw|token|key|user(?:name)?|name|root|admin|test|guest|postgres|mysql|mongo|redis|rabbitmq|minio|changeit|qwerty|hunter2|letmein|s3cret|foo|bar|baz|abc|xyz|x{1,5}|\d{1,8})[-_!]?\d{0,4}!?$/i;

/** Example passwords. They can be real words, so they are listed. */
export function isPlaceholderPassword(value: string): boolean {
  return usualPasswords.test(value) || isPlaceholder(value) || /^[%:]|^[A-Z_]+$|^\d{1,5}$/.test(value);
}
