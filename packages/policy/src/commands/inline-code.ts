/**
 * Code in the line itself: after -c or -e, or in a here-document. It may do what a file of the workspace may do that is
 * run, so refusing all of it would protect nothing. Refused is what plainly starts a program, uses the network, reads
 * variables, or names a path that the line itself could not name. What hides from this could also be in a file.
 */
import type { JudgePath } from './check-operand.ts';
import { type Refusal, refuse } from './refusal.ts';

export type CodeLanguage = 'python' | 'javascript';

const FILE =
  'use the program itself in the line, or write a file of the workspace, which is on record, and run it';

const words: Record<CodeLanguage, RegExp[]> = {
  python: [
    /\b(subprocess|pty|ctypes|cffi|socket|socketserver|urllib|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|paramiko|webbrowser|multiprocessing|runpy|builtins|marshal|pickle|codeop)\b/,
    /\bhttp\.(client|server)\b|\bfrom\s+(os|posix)\s+import\b/,
    /\b(system|popen|(exec|spawn)[vl]p?e?|posix_spawnp?|startfile|environb?|getenv|putenv|killpg)\b|\b(fork|forkpty|kill)\s*\(/,
    /(?<!\bre\.)\b(eval|exec|compile|__import__|globals|locals|vars|__dict__|__builtins__|__subclasses__|__globals__)\b(?!=)/,
    /\bgetattr\b(?!\s*\(\s*[\w.]+\s*,\s*(['"])\w+\1\s*[,)])/,
    /\b(b64decode|a85decode|b85decode|unhexlify|fromhex)\b/,
    /\bimport_module\s*\((?!\s*(['"])[\w.]+\1\s*\))/,
    /\b(symlink|symlink_to|link_to|hardlink_to|chroot|chown|mknod|mkfifo)\b/,
  ],
  javascript: [
    /['"`](node:)?(child_process|cluster|worker_threads|net|tls|dgram|dns|http|https|http2|vm|module|inspector|repl|wasi)(\/\w+)?['"`]/,
    /\b(child_process|execSync|spawnSync|execFile|execFileSync|spawn|fork|fetch|WebSocket|XMLHttpRequest|EventSource|eval|Function|Worker|Reflect|constructor|globalThis|global|atob)\b/,
    /\bprocess\s*(\?\.)?\s*(\[|\.\s*(env|binding|dlopen|kill|mainModule|getBuiltinModule|report)\b)/,
    /\bBun\s*\.\s*(\$|spawn|spawnSync|serve|connect|env)|\bDeno\b/,
    /\brequire\s*(\.|\((?!\s*(['"])[^'"]*\2\s*\)))/,
    /\bimport\s*\((?!\s*(['"])[^'"]*\1\s*\))/,
    /\bimport\.meta\.(env|resolve)\b|\.\s*(symlink|symlinkSync|link|linkSync)\b/,
    /['"`]base64(url)?['"`]/,
  ],
};
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g;
const PATH = /^[\w.~@+ -]*(\/[\w.~@+ -]*)+$|^\.[\w.-]+$/;
const SYSTEM =
  /^~|^\/(etc|proc|sys|root|home|var|usr|dev|run|boot|mnt|media|opt|srv|tmp|Users|private|Library)(\/|$)/;

export function findCodeFault(
  code: string,
  language: CodeLanguage,
  judgePath: JudgePath,
): Refusal | undefined {
  for (const pattern of words[language]) {
    const token = pattern.exec(code)?.[0];
    if (token !== undefined) {
      const reason =
        'code in the line may not start programs, use the network, read variables or run other text';
      return refuse('inline-code', reason, { token, instead: FILE });
    }
  }
  for (const [quoted, ...inner] of code.matchAll(LITERAL)) {
    const fault = findLiteralFault(quoted, inner.find((text) => text !== undefined) ?? '', judgePath);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Paths in code are literals. Relative ones are judged like an operand. */
function findLiteralFault(quoted: string, text: string, judgePath: JudgePath): Refusal | undefined {
  if (SYSTEM.test(text) && text !== '/dev/null') {
    return refuse('path/absolute', 'code in the line names only paths of the workspace', {
      token: quoted,
      instead: FILE,
    });
  }
  if (!PATH.test(text) || text.startsWith('/')) return undefined;
  const fault = judgePath(text, 'read', false);
  return fault && { ...fault, token: quoted };
}
