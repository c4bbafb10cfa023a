/** Whether a command line or the configuration of a runner names a file that decides how a check runs. */

import { join } from 'node:path/posix';
import { isRunnable, isTestFile } from '@fettle/checks';

const interpreter = /^(?:node|bun|deno|tsx|ts-node|sh|bash|dash|zsh|python[\d.]*|ruby|php|perl)$/;
/** Their arguments are what they examine. */
const examiner =
  /^(?:eslint|xo|standard|oxlint|stylelint|biome|prettier|dprint|tsc|vue-tsc|tslint|ruff|black|isort|flake8|pylint|mypy|pyright|py_compile|gofmt|golangci-lint|go|rubocop|shellcheck|shfmt|markdownlint|gcc|g\+\+|cc|clang|rustfmt)$/;
const onlyParses = /^(?:--check|--syntax-check|-n|-l|-c)$/;
/** Options with a file that the tool runs or reads its settings from. */
const loads =
  /^(?:-r|-c|-f|-p|--(?:require|import|loader|experimental-loader|preload|env-file|rcfile|file|project|reporter|ui|test-reporter|plugin|resolver|transform|runner|environment|preset|extension|inifile|bootstrap|(?:experimental-)?(?:global-?|test-)?(?:config|setup)[\w-]*|global[\w-]*|setup[\w-]*|config[\w-]*))$/i;

/** `folder` is where the command runs. A test file counts only as the value of an option: tests are counted instead. */
export function runsFile(text: string, path: string, folder = ''): boolean {
  const isPath = (word: string | undefined) => word !== undefined && names(word, path, folder);
  return text.split(/["'`;|&\n(){}]+/).some((segment) => {
    const words = segment.split(/\s+/).filter((word) => word !== '');
    if (words.some((word, at) => isValue(words, at) && isPath(optionValue(word)))) return true;
    if (isTestFile(path)) return false;
    const [program = '', ...rest] = words.filter((word) => !/^\w+=/.test(word));
    if (isPath(program)) return true;
    if (interpreter.test(baseName(program))) {
      if (rest.some((word) => onlyParses.test(word))) return false;
      if (isPath(rest.find((word) => !word.startsWith('-') && word !== 'run'))) return true;
    }
    if (words.some((word) => examiner.test(baseName(word)))) return false;
    // Other programs may do anything with it. A word such as `check` is not a file.
    return rest.some((word) => /[./]/.test(word) && isPath(word));
  });
}

const baseName = (word: string) => word.replace(/^.*\//, '');
/** `--import=./a.mjs`, `NODE_OPTIONS=--import=./a.mjs`, `-r./a.mjs`. */
const optionValue = (word: string) => word.replace(/^.*=/, '').replace(/^-[a-z](?=[./])/, '');
const isValue = (words: string[], at: number) => {
  const word = words[at] ?? '';
  return /^-[^=]*=|^\w+=-/.test(word) || /^-[a-z][./]/.test(word) || loads.test(words[at - 1] ?? '');
};

/** As a path, with or without its ending, or as a module of Python. */
function names(word: string, path: string, folder: string): boolean {
  const plain = word.replace(/^<rootDir>\//, '').replace(/[,:]+$/, '');
  if (plain === '' || plain.startsWith('/')) return false;
  return [join(plain), join(folder, plain)].some(
    (found) =>
      found === path ||
      path.replace(/(?:\/index)?\.[^./]+$/, '') === found ||
      path === `${found.replaceAll('.', '/')}.py`,
  );
}

/** Whether a configuration names the file, as a setup file, a preset or a reporter. */
export function configNames(text: string, path: string, folder: string): boolean {
  if (isTestFile(path) && isRunnable(path)) return false;
  const plain = text.replaceAll('<rootDir>/', '');
  return plain.split(/["'`\s,;=[\](){}<>]+/).some((word) => /[./]/.test(word) && names(word, path, folder));
}

/** The options of a command that name a configuration. */
export function listConfigs(text: string): string[] {
  const words = text.split(/["'`;|&\n(){}\s]+/);
  return words.flatMap((word, at) => {
    if (/^--[\w-]*(?:config|rcfile)[\w-]*=/.test(word)) return [optionValue(word)];
    return /^(?:-c|--[\w-]*(?:config|rcfile)[\w-]*)$/.test(words[at - 1] ?? '') ? [word] : [];
  });
}
