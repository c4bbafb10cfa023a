// What each kind of operand may be. A kind says what the program does with the word, and so what can go wrong.
import type { PathOperation } from '../paths/path-rule.ts';
import type { PlanWord } from './parse/resolve-word.ts';
import { type Refusal, refuse } from './refusal.ts';
import { type OperandKind, operandKinds } from './rules/rule.ts';
import { findSedFault } from './sed-script.ts';

export interface Scope {
  judgePath: (path: string, operation: PathOperation, isPattern: boolean) => Refusal | undefined;
  checkTool: (
    kind: 'node-tool' | 'python-tool',
    words: PlanWord[],
  ) => { ok: true; rules: string[] } | Refusal;
}

/** Kinds that are known by how they are spelled. */
const spelling: Partial<Record<OperandKind, RegExp>> = {
  number: /^\d{1,9}$/,
  count: /^[+-]?\d{1,9}(\.\d+)?[a-zA-Z%]{0,3}$/,
  name: /^(?!.*(\.\.|[:=]\/))[\w@+%*{}[\]][\w@.,:+=%/*{}[\]~^-]*$/,
  package: /^(\.[^:]*|[A-Za-z0-9][\w.-]*(\[[\w,-]+\])?([<>=!~]=?[\w.*,<>=!~]*)?)$/,
  suffix: /^[\w.~-]{1,20}$/,
  mode: /^([ua]?\+x|0?755|0?644)$/,
  false: /^false$/,
  script: /^(?!.*\.\.)[\w@][\w@.:/+*-]*$/,
  ref: /^(?!.*\.\.)[\w@][\w./@{}~^+#=-]*$/,
};
const REVISION = /^[\w@^:.[\]*-][^\s\\]*$/u;

export function checkOperand(
  rule: string,
  kind: OperandKind,
  word: PlanWord,
  scope: Scope,
): Refusal | undefined {
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
    case 'package':
      return text.startsWith('.') ? scope.judgePath(text, 'read', false) : undefined;
    case 'packages':
      // `...` stands for whatever is below.
      return scope.judgePath(text.replace(/(^|\/)\.\.\.$/, '$1.'), 'read', false);
    case 'folder':
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
      return findSedFault(text);
    default:
      return undefined;
  }
}

/** A pattern may become any number of words, so that it stands only where paths may. */
function checkPattern(rule: string, kind: OperandKind, glob: string, scope: Scope): Refusal | undefined {
  switch (kind) {
    case 'write':
    case 'delete':
      return scope.judgePath(glob, kind, true);
    case 'read':
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

/** `:!path` and `:(exclude)path` take away; other magic words change where a path begins. */
function checkPathspec(rule: string, text: string, scope: Scope): Refusal | undefined {
  const path = text.replace(/^:(!|\^|\((exclude|glob|icase|literal|,)*\))/, '');
  if (!path.startsWith(':')) return scope.judgePath(path === '' ? '.' : path, 'read', false);
  return refuse(rule, 'this way to write a path is not known here', {
    token: text,
    instead: 'write :!path or a plain path',
  });
}

/** It may be a path too, and in `commit:path` it is one. */
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
  const path = text.slice(colon + 1);
  return path === '' ? undefined : scope.judgePath(path, 'read', false);
}

function checkLineRange(rule: string, text: string, scope: Scope): Refusal | undefined {
  const path = /^(?:\d+,[+-]?\d+|:[\w$.]+):([^:]+)$/.exec(text)?.[1];
  if (path !== undefined) return scope.judgePath(path, 'read', false);
  return /^\d+(,[+-]?\d+)?$/.test(text)
    ? undefined
    : refuse(rule, 'a range of lines is 1,9:path', { token: text, instead: '1,9:path' });
}
