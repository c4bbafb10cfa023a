/**
 * Variables that may be set in front of a command. Many others make a program load or run code (LD_PRELOAD,
 * NODE_OPTIONS, GIT_SSH_COMMAND, PYTHONSTARTUP, GOFLAGS …), so only these are allowed.
 */
import { nearest } from './nearest.ts';
import { type Refusal, refuse } from './refusal.ts';

const word = /^[\w.,:@%+*/-]*$/;
/** The name of a locale or a terminal. With a slash, it would be looked up as a file. */
const plain = /^[\w.@-]*$/;
const flag = /^(0|1|true|false|yes|no|)$/;
const number = /^\d{1,9}$/;
/** Folders of the workspace, separated by colons. */
const folders = /^(?!\/|.*(^|[:/])\.\.([:/]|$)|.*:\/)[\w./@:-]*$/;
const nodeOptions =
  /^ *((--experimental-vm-modules|--experimental-strip-types|--no-warnings|--enable-source-maps|--trace-warnings|--trace-deprecation|--no-deprecation|--max-old-space-size=\d+|--stack-trace-limit=\d+)( +|$))*$/;

const variables: Record<string, RegExp> = {
  CI: word,
  NODE_ENV: word,
  NODE_OPTIONS: nodeOptions,
  NODE_NO_WARNINGS: flag,
  DEBUG: word,
  LOG_LEVEL: word,
  VERBOSE: flag,
  FORCE_COLOR: word,
  NO_COLOR: word,
  COLUMNS: number,
  TZ: /^[A-Za-z][\w+/-]*$/,
  LANG: plain,
  LC_ALL: plain,
  TERM: plain,
  PORT: number,
  UPDATE_SNAPSHOTS: flag,
  UPDATE_SNAPSHOT: flag,
  TS_NODE_TRANSPILE_ONLY: flag,
  ESLINT_USE_FLAT_CONFIG: flag,
  BABEL_ENV: word,
  VITEST_MAX_THREADS: number,
  PYTHONPATH: folders,
  PYTHONUNBUFFERED: flag,
  PYTHONDONTWRITEBYTECODE: flag,
  PYTHONHASHSEED: word,
  DJANGO_SETTINGS_MODULE: /^[\w.]+$/,
  CGO_ENABLED: flag,
  GOOS: word,
  GOARCH: word,
  GOMAXPROCS: number,
  RUST_BACKTRACE: word,
  RUST_LOG: /^[\w.,:=/-]*$/,
  CARGO_TERM_COLOR: word,
  CARGO_INCREMENTAL: flag,
  INSTA_UPDATE: word,
  GIT_PAGER: /^cat$/,
  PAGER: /^cat$/,
};

export function findVariableFault(name: string, value: string): Refusal | undefined {
  const allowed = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (allowed === undefined) {
    const near = nearest(name, Object.keys(variables));
    return refuse('environment/name', `${name} is not one of the variables that are known to be harmless`, {
      token: `${name}=`,
      instead: near ? `${near}=… is allowed` : 'leave it out, or set it inside a script of the repository',
    });
  }
  if (value.length <= 1000 && allowed.test(value)) return undefined;
  return refuse('environment/value', `this is not a value that ${name} may have here`, {
    token: `${name}=${value.slice(0, 80)}`,
    instead: `leave ${name} out, or give it a plain value`,
  });
}
