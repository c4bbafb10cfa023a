/** How the tests of a Python repository are started: as its configuration says, or as its test files need. */
import { type RepositoryRoot, readManifest } from '../../repository-root.ts';
import type { Sections } from '../../sections.ts';
import { requirementFiles } from './installers.ts';
import { findConfigured, type Tool } from './tools.ts';

export interface TestCommand {
  /** What follows `python -m `. */
  module: string;
  args: string;
  source: string;
}

export async function findTestCommand(
  root: RepositoryRoot,
  pytest: Tool,
  configs: Map<string, Sections>,
): Promise<TestCommand | undefined> {
  const runner = await readRunner(root);
  if (runner) return runner;
  const source = findConfigured(root, pytest, configs) ?? (await findRequirement(root));
  if (source !== undefined) return { module: 'pytest', args: '', source };
  return findByFiles(root);
}

/** The command of tox or nox, without the environment that they create. */
async function readRunner(root: RepositoryRoot): Promise<TestCommand | undefined> {
  const tox = await readManifest(root, 'tox.ini', []);
  const lines = tox === undefined ? [] : readToxCommands(tox);
  for (const line of lines) {
    const [, module, args = ''] =
      /^(?:python[\d.]* -m )?(pytest|py\.test|unittest|nose2)\b(.*)$/.exec(fillToxLine(line)) ?? [];
    // What is left of tox's own variables would not be understood.
    if (module !== undefined && /^[\w ./=:-]*$/.test(args))
      return { module: module === 'py.test' ? 'pytest' : module, args: args.trimEnd(), source: 'tox.ini' };
  }
  return undefined;
}

/** The lines of `commands` in `[testenv]`, the environment that the others extend. */
function readToxCommands(text: string): string[] {
  const found: string[] = [];
  let section = '';
  let isCommands = false;
  for (const line of text.split('\n')) {
    const [, name] = /^\[([^\]]*)\]/.exec(line) ?? [];
    const [, key, value = ''] = /^([\w-]+)\s*=(.*)$/.exec(line) ?? [];
    if (name !== undefined) section = name;
    if (key !== undefined) isCommands = section === 'testenv' && key === 'commands';
    const text = key === undefined ? line.trim() : value.trim();
    if (isCommands && text !== '' && name === undefined) found.push(text);
  }
  return found;
}

/** `{posargs:tests}` stands for `tests`, if tox is started without arguments. */
function fillToxLine(line: string): string {
  return line
    .replace(/^coverage run (?:-p |--parallel-mode )?-m /, '')
    .replaceAll(/\{posargs:?([^{}]*)\}/g, '$1')
    .replaceAll(/ (?:--basetemp|--cov[\w-]*|--junitxml)(?:=\S*)?/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** pytest needs no configuration: it is used if the requirements contain it. */
async function findRequirement(root: RepositoryRoot): Promise<string | undefined> {
  for (const file of requirementFiles) {
    const text = await readManifest(root, file, []);
    const lines = text?.split('\n').map((line) => line.trim().toLowerCase()) ?? [];
    if (lines.some((line) => /^pytest([^a-z0-9._-]|$)/.test(line))) return `pytest in ${file}`;
  }
  for (const file of ['pyproject.toml', 'setup.py', 'setup.cfg', 'noxfile.py', 'Pipfile']) {
    const text = await readManifest(root, file, []);
    if (
      text
        ?.split('\n')
        .some((line) => /^[^#]*(?:^|["'\s(])pytest(?=$|["'\s=<>~[,)])/.test(line.slice(0, 300)))
    )
      return `pytest in ${file}`;
  }
  return undefined;
}

const testFile = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/;
const maxRead = 10;

/** Without any configuration, the test files show whether they need pytest. */
async function findByFiles(root: RepositoryRoot): Promise<TestCommand | undefined> {
  const files = (await root.paths()).filter(
    (path) => testFile.test(path) && !/(?:^|\/)(?:examples?|docs)\//.test(path),
  );
  if (files.length === 0) return undefined;
  let needsUnittest = false;
  for (const path of files.slice(0, maxRead)) {
    const file = await root.read(path, 1_000_000);
    const text = file && 'text' in file ? file.text : '';
    if (/^(?:import pytest|from pytest )/m.test(text) || /^(?:async )?def test_/m.test(text))
      return { module: 'pytest', args: '', source: `the test files, such as ${path.slice(0, 100)}` };
    needsUnittest ||= /\bunittest\b|\bTestCase\b/.test(text);
  }
  if (!needsUnittest) return undefined;
  const folder = files.find((path) => path.includes('/'))?.split('/')[0];
  const isPackage = folder === undefined || (await root.paths()).includes(`${folder}/__init__.py`);
  const args = isPackage || !/^[\w-]+$/.test(folder) ? '' : ` discover -s ${folder}`;
  return { module: 'unittest', args, source: `the test files, such as ${files[0]?.slice(0, 100)}` };
}
