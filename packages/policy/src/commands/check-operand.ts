/** What each kind of operand may be. The kind says what the program does with the word, and so what can go wrong. */
import type { PathOperation } from '../paths/path-rule.ts';
import { findCodeFault } from './inline-code.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { type Refusal, refuse } from './refusal.ts';
import { type OperandKind, operandKinds } from './rules/rule.ts';
import { findSedFault } from './sed-script.ts';

/** `scratch`: the path may also be in the scratch folder. */
export type JudgePath = (
  path: string,
  operation: PathOperation,
  isPattern: boolean,
  also?: 'scratch',
) => Refusal | undefined;

export interface Scope {
  judgePath: JudgePath;
  /** Called for an absolute path, which the toolbox has to replace. False if the word is only a part of one. */
  place: (word: PlanWord) => boolean;
  /** The text of a here-document that becomes standard input. */
  input?: string | undefined;
  /** The scope of a program that starts in another folder. Undefined if it already does: programs differ in what two mean. */
  from?: (folder: string) => Scope;
  checkTool: (
    kind: 'node-tool' | 'python-tool',
    words: PlanWord[],
  ) => { ok: true; rules: string[] } | Refusal;
}

/** Kinds that are recognized by their spelling. */
const spelling: Partial<Record<OperandKind, RegExp>> = {
  number: /^\d{1,9}$/,
  count: /^[+-]?\d{1,9}(\.\d+)?[a-zA-Z%]{0,3}$/,
  name: /^(?!.*(\.\.|[:=]\/))[\w@+%*{}[\]][\w@.,:+=%/*{}[\]~^-]*$/,
  package: /^(\.[^:]*|[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?([<>=!~]=?[\w.*,<>=!~]*)?)$/,
  suffix: /^[\w.~-]{1,20}$/,
  mode: /^([ua]?\+x|0?755|0?644)$/,
  false: /^false$/,
  'tracked-path': /^[^:*?[\\][^*?[\\]*$/,
  script: /^(?!.*\.\.)[\w@][\w@.:/+*-]*$/,
  ref: /^(?!.*\.\.)[\w@][\w./@{}~^+#=-]*$/,
  'ref-pattern': /^(?!.*\.\.)[\w@*?[][\w./@{}~^+#=*?[\]-]*$/,
  'date-format': /^\+/,
  copied: /^(?!\.\/*$|(.*\/)?\.\.\/*$)/,
  'code-file': /\.[cm]?[jt]sx?$/,
};
const REVISION = /^[\w@^:.[\]*-][^\s\\]*$/u;

export function checkOperand(
  rule: string,
  kind: OperandKind,
  word: PlanWord,
  scope: Scope,
): Refusal | undefined {
  const written = 'text' in word ? word.text : word.glob;
  let isPlace = false;
  const judgePath: JudgePath = (path, ...more) => {
    const fault = scope.judgePath(path, ...more);
    if (fault !== undefined || !path.startsWith('/') || path === '/dev/null') return fault;
    isPlace = true;
    return path === written ? undefined : refusePart(path);
  };
  const fault = checkKind(rule, kind, word, { ...scope, judgePath });
  return fault ?? (isPlace && !scope.place(word) ? refusePart(written) : undefined);
}

function refusePart(token: string): Refusal {
  return refuse('path/absolute', 'an absolute path has to be a word of its own', {
    token,
    instead: 'name it from the workspace’s root, without a slash in front',
  });
}

function checkKind(rule: string, kind: OperandKind, word: PlanWord, scope: Scope): Refusal | undefined {
  if ('glob' in word) return checkPattern(rule, kind, word.glob, scope);
  const { text } = word;
  if (spelling[kind]?.test(text) === false) {
    return refuse(rule, `"${rule}" expects something else here`, {
      token: text,
      instead: operandKinds[kind],
    });
  }
  switch (kind) {
    case 'read':
    case 'write':
    case 'delete':
      return scope.judgePath(text, kind, false);
    case 'copied':
    case 'code-file':
      return scope.judgePath(text, 'read', false);
    case 'output':
      return scope.judgePath(text, 'write', false, 'scratch');
    case 'message-file':
      return text === '-' && scope.input !== undefined ? undefined : scope.judgePath(text, 'read', false);
    case 'python-code':
      return findCodeFault(text, 'python', scope.judgePath);
    case 'javascript-code':
      return findCodeFault(text, 'javascript', scope.judgePath);
    case 'tracked-path':
      return scope.judgePath(text, 'delete', false);
    case 'package':
      return text.startsWith('.') ? scope.judgePath(text, 'read', false) : undefined;
    case 'packages':
      // `...` means everything below.
      return scope.judgePath(text.replace(/(^|\/)\.\.\.$/, '$1.'), 'read', false);
    case 'folder':
    case 'start':
      if (text.startsWith('-'))
        return refuse(rule, 'there is no earlier folder to go back to', {
          token: text,
          instead: 'name the folder',
        });
      return scope.judgePath(text, 'read', false);
    case 'module':
      return /^[\w@]/.test(text) && !text.includes('..') && !text.includes(':')
        ? undefined
        : checkModulePath(rule, text, scope);
    case 'pathspec':
      return checkPathspec(rule, text, scope);
    case 'revision':
      return checkRevision(rule, text, scope);
    case 'line-range':
      return checkLineRange(rule, text, scope);
    case 'sed-script':
      return findSedFault(text, (path) => scope.judgePath(path, 'read', false));
    default:
      return undefined;
  }
}

/** A glob can expand to any number of words, so it is allowed only where paths are. */
function checkPattern(rule: string, kind: OperandKind, glob: string, scope: Scope): Refusal | undefined {
  switch (kind) {
    case 'write':
    case 'delete':
      return scope.judgePath(glob, kind, true);
    case 'tracked-path':
      return scope.judgePath(glob, 'delete', true);
    case 'read':
    case 'copied':
    case 'text':
    case 'argument':
    case 'pathspec':
    case 'revision':
      return scope.judgePath(glob, 'read', true);
    default:
      return refuse(rule, 'the shell would put the names of matching files here', {
        token: glob,
        instead: 'quote it',
      });
  }
}

function checkModulePath(rule: string, text: string, scope: Scope): Refusal | undefined {
  if (text.includes(':')) {
    return refuse(rule, 'code in an address is not run', {
      token: text,
      instead: 'write it to a file of the workspace',
    });
  }
  return scope.judgePath(text, 'read', false);
}

/** `:!path` and `:(exclude)path` exclude. Other pathspec magic changes where a path starts. */
function checkPathspec(rule: string, text: string, scope: Scope): Refusal | undefined {
  const path = text.replace(/^:(!|\^|\((exclude|glob|icase|literal|,)*\))/, '');
  if (!path.startsWith(':')) return scope.judgePath(path === '' ? '.' : path, 'read', false);
  return refuse(rule, 'this way to write a path is not known here', {
    token: text,
    instead: 'write :!path or a plain path',
  });
}

/** It may also be a path, and in `commit:path` it is one. */
function checkRevision(rule: string, text: string, scope: Scope): Refusal | undefined {
  if (!REVISION.test(text)) {
    return refuse(rule, `"${rule}" expects a commit, a range or a path here`, {
      token: text,
      instead: 'put paths after --',
    });
  }
  const colon = text.indexOf(':');
  if (colon === -1) return scope.judgePath(text, 'read', false);
  if (colon === 0) return checkPathspec(rule, text, scope);
  // The commit in `HEAD^{/a:b}:path` and `HEAD@{10:00}:path` contains colons, too.
  for (let at = colon; at !== -1; at = text.indexOf(':', at + 1)) {
    const path = text.slice(at + 1);
    const fault = path === '' ? undefined : scope.judgePath(path, 'read', false);
    if (fault !== undefined) return { ...fault, token: text };
  }
  return undefined;
}

function checkLineRange(rule: string, text: string, scope: Scope): Refusal | undefined {
  const path = /^(?:\d+,[+-]?\d+|:[\w$.]+):([^:]+)$/.exec(text)?.[1];
  if (path !== undefined) return scope.judgePath(path, 'read', false);
  return /^\d+(,[+-]?\d+)?$/.test(text)
    ? undefined
    : refuse(rule, 'a range of lines is 1,9:path', { token: text, instead: '1,9:path' });
}
