/** One token, written in the ways that keep scanners from seeing it. Each way gets tokens of its own. */
export interface EvasiveCase {
  type: string;
  filename: string;
  /** What is hidden, in the language of `synthesize`. */
  secret: string;
  write(secret: string): string;
}

const github = 'ghp_{an36}';
const codes = (text: string) => [...text].map((char) => char.charCodeAt(0));
const hex = (text: string) => codes(text).map((code) => code.toString(16).padStart(2, '0'));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const privateKey = '{dashes}BEGIN PRIVATE KEY{dashes}\nMII{pem900}\n{dashes}END PRIVATE KEY{dashes}\n';

const ways: [type: string, filename: string, write: (token: string) => string][] = [
  ['concatenated', 'a.ts', (t) => `const k = "${t.slice(0, 6)}" + "${t.slice(6, 20)}" + "${t.slice(20)}";`],
  ['concatenated-lines', 'a.ts', (t) => `const k =\n  '${t.slice(0, 12)}' +\n  '${t.slice(12)}';`],
  ['concatenated-php', 'a.php', (t) => `$k = '${t.slice(0, 9)}' . '${t.slice(9)}';`],
  ['adjacent-literals', 'a.py', (t) => `K = ("${t.slice(0, 15)}"\n     "${t.slice(15)}")`],
  [
    'joined-list',
    'a.ts',
    (t) => `const k = ["${t.slice(0, 4)}", "${t.slice(4, 22)}", "${t.slice(22)}"].join("");`,
  ],
  ['joined-list-python', 'a.py', (t) => `k = "".join(["${t.slice(0, 10)}", "${t.slice(10)}"])`],
  ['template-parts', 'a.ts', (t) => `const k = \`${t.slice(0, 7)}\${"${t.slice(7)}"}\`;`],
  ['concat-call', 'a.js', (t) => `var k = "${t.slice(0, 8)}".concat("${t.slice(8, 20)}", "${t.slice(20)}");`],
  [
    'named-parts',
    'a.ts',
    (t) => `const a = "${t.slice(0, 14)}";\nconst b = "${t.slice(14)}";\nlogin(a + b);`,
  ],
  [
    'named-parts-template',
    'a.ts',
    (t) => `const a = "${t.slice(0, 4)}", b = "${t.slice(4)}";\nlogin(\`\${a}\${b}\`);`,
  ],
  ['named-parts-shell', 'a.sh', (t) => `A="${t.slice(0, 20)}"\nB="${t.slice(20)}"\ncurl -H "X: $A$B" x.io`],
  ['reversed', 'a.ts', (t) => `const k = "${[...t].reverse().join('')}".split("").reverse().join("");`],
  ['reversed-python', 'a.py', (t) => `k = "${[...t].reverse().join('')}"[::-1]`],
  ['base64', 'b.ts', (t) => `const k = atob("${base64(t)}");`],
  ['base64-twice', 'b.ts', (t) => `const k = "${base64(base64(t))}";`],
  ['base64-url', 'b.ts', (t) => `const k = "${Buffer.from(`key=${t}?>`).toString('base64url')}";`],
  ['base64-utf16', 'b.ps1', (t) => `$k = "${Buffer.from(t, 'utf16le').toString('base64')}"`],
  ['base64-split', 'b.ts', (t) => `const k = "${base64(t).slice(0, 20)}" + "${base64(t).slice(20)}";`],
  ['hexadecimal', 'c.ts', (t) => `const k = Buffer.from("${hex(t).join('')}", "hex");`],
  [
    'hex-escapes',
    'c.c',
    (t) =>
      `char *k = "${hex(t)
        .map((each) => `\\x${each}`)
        .join('')}";`,
  ],
  [
    'url-encoded',
    'd.txt',
    (t) =>
      hex(t)
        .map((each) => `%${each}`)
        .join(''),
  ],
  ['partly-url-encoded', 'd.txt', (t) => `https://x.io/?k=gh%70%5F${t.slice(4)}`],
  [
    'octal-escapes',
    'e.c',
    (t) =>
      `k = "${codes(t)
        .map((code) => `\\${code.toString(8).padStart(3, '0')}`)
        .join('')}"`,
  ],
  [
    'entities',
    'e.html',
    (t) =>
      codes(t)
        .map((code) => `&#${code};`)
        .join(''),
  ],
  [
    'unicode-escapes',
    'f.ts',
    (t) =>
      `const k = "${hex(t)
        .map((each) => `\\u00${each}`)
        .join('')}";`,
  ],
  [
    'code-point-escapes',
    'f.ts',
    (t) =>
      `const k = "${hex(t)
        .map((each) => `\\u{${each}}`)
        .join('')}";`,
  ],
  ['character-codes', 'g.js', (t) => `String.fromCharCode(${codes(t).join(', ')})`],
  [
    'character-codes-hex',
    'g.js',
    (t) =>
      `new Uint8Array([${hex(t)
        .map((each) => `0x${each}`)
        .join(',')}])`,
  ],
  ['zero-width', 'h.ts', (t) => `const k = "${t.slice(0, 10)}\u200b${t.slice(10)}";`],
  ['soft-hyphens', 'h.ts', (t) => `const k = "${[...t].join('\u00ad')}";`],
  ['utf16-text', 'h.txt', (t) => [...t].map((char) => `${char}\0`).join('')],
  ['continued-line', 'h.sh', (t) => `TOKEN=${t.slice(0, 20)}\\\n${t.slice(20)}`],
  [
    'wide-letters',
    'h.txt',
    (t) => [...t].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join(''),
  ],
  ['cyrillic-letter', 'h.ts', (t) => `const k = "${t.replace('p_', '\u0440_')}";`],
  ['secretlint-disable', 'i.ts', (t) => `/* secretlint-disable */\nconst k = "${t}";`],
  ['secretlint-disable-line', 'i.ts', (t) => `const k = "${t}"; // secretlint-disable-line`],
  ['gitleaks-allow', 'i.ts', (t) => `const k = "${t}"; // gitleaks:allow`],
  [
    'in-a-lockfile',
    'package-lock.json',
    (t) => `{"packages":{"x":{"resolved":"https://x-access-token:${t}@npm.pkg.github.com/x.tgz"}}}`,
  ],
  ['in-a-minified-line', 'dist/a.min.js', (t) => `${'a=b;'.repeat(5000)}k="${t}";${'c=d;'.repeat(5000)}`],
  ['called-an-example', 'test/example.spec.ts', (t) => `// example, not real\nconst token = "${t}";`],
];

export const evasiveSecrets: EvasiveCase[] = [
  ...ways.map(([type, filename, write]) => ({ type, filename, secret: github, write })),
  {
    type: 'kubernetes-secret',
    filename: 'secret.yaml',
    secret: privateKey,
    write: (key) => `apiVersion: v1\nkind: Secret\ndata:\n  tls.key: ${base64(key)}`,
  },
  {
    type: 'docker-config',
    filename: 'config.json',
    secret: 'acme:{an24}',
    write: (pair) => `{"auths":{"https://index.docker.io/v1/":{"auth":"${base64(pair)}"}}}`,
  },
  {
    type: 'basic-header',
    filename: 'curl.sh',
    secret: 'deploy:{an20}',
    write: (pair) => `curl -H "Authorization: Basic ${base64(pair)}" https://ci.acme.io`,
  },
  {
    type: 'escaped-database-url',
    filename: 'a.json',
    secret: '{an18}',
    write: (password) => `{"url":"postgres:\\u002f\\u002fapp:${password}@db.acme.io\\u002fcore"}`,
  },
];
