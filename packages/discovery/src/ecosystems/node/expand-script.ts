/** Follows a script to the commands that it consists of, as far as they are plain. */
import type { Check } from '../../discovered.ts';
import { isPlain } from '../../workflows/split-lines.ts';
import type { Client } from './clients.ts';
import { checkOfName, checkOfTool, needsBrowser, usualNames, watchesFiles } from './script-kinds.ts';

export interface Part {
  /** Undefined for a command that is no check by itself, such as one that prepares something. */
  check: Check | undefined;
  command: string;
  /** What the command starts, with the text of its script. */
  text: string;
}

export interface Place {
  client: Client;
  scripts: ReadonlyMap<string, string>;
}

const maxDepth = 4;
const maxParts = 20;

/** Names of scripts that run several checks. */
const collects =
  /^(?:(?:test|check|ci|validate|verify|pretest|qa|precommit|prepush)(?:[:_-](?:all|ci|full))?|all)$/;

/** The parts of a line. A line that is no script and no known tool is one part without a check. */
export function expandLine(line: string, place: Place, depth = 0): Part[] {
  const { client, scripts } = place;
  const name = scriptOf(line, scripts);
  if (name === undefined) {
    const tool = line.replace(startsTool, '');
    return [{ check: checkOfTool(tool), command: toCommand(tool, client), text: tool }];
  }
  return expandScript(name, place, depth);
}

export function expandScript(name: string, place: Place, depth = 0): Part[] {
  const { client, scripts } = place;
  const text = scripts.get(name) ?? '';
  const command = name === 'test' ? client.test : `${client.run} ${name}`;
  const usual = checkOfScript(name, text);
  const whole: Part[] = [{ check: usual, command, text: followText(name, scripts) }];
  // A script with hooks is more than its text, and so is one that the name of a single check describes.
  const isSplit = collects.test(name) || usual === undefined;
  if (!isSplit || depth >= maxDepth || scripts.has(`pre${name}`) || scripts.has(`post${name}`)) return whole;
  const lines = text.split('&&').map((each) => each.trim());
  if (lines.length > maxParts || !lines.every(isPlain)) return whole;
  if (lines.length === 1 && scriptOf(lines[0] ?? '', scripts) === undefined) return whole;
  const parts = lines.flatMap((each) => expandLine(each, place, depth + 1));
  return parts.some(({ check }) => check !== undefined) ? parts : whole;
}

/** A usual name says what the script is, and so does `compile`. Other names say less than the tool. */
function checkOfScript(name: string, text: string): Check | undefined {
  const byName = checkOfName(name);
  const isClear = byName === 'build' || (byName && usualNames[byName].includes(name));
  return isClear ? byName : (checkOfTool(text) ?? byName);
}

const callsScript =
  /^(?:npm|pnpm|yarn|bun)(?: run(?:-script)?)?(?: (?:-s|--silent|--if-present))* ([\w.:@/-]+)(?: (?:--)?.*)?$/;

/** The script that a line runs, by the usual ways to call it. */
function scriptOf(line: string, scripts: ReadonlyMap<string, string>): string | undefined {
  if (/^npm (?:t|tst|test)(?: |$)/.test(line)) return scripts.has('test') ? 'test' : undefined;
  // Bun's own test runner.
  if (/^bun test(?: |$)/.test(line)) return undefined;
  const isDirect = /^npm (?!run(?:-script)? )/.test(line);
  const name = isDirect ? undefined : callsScript.exec(line)?.[1];
  return name !== undefined && scripts.has(name) ? name : undefined;
}

/** The text of a script with the texts of the scripts that it calls, to see which tools it needs. */
function followText(name: string, scripts: ReadonlyMap<string, string>, depth = 0): string {
  const text = scripts.get(name) ?? '';
  if (depth >= maxDepth || text.length > 2_000) return text.slice(0, 2_000);
  const called = text
    .split('&&')
    .slice(0, maxParts)
    .flatMap((each) => scriptOf(each.trim(), scripts) ?? [])
    .map((each) => followText(each, scripts, depth + 1));
  return [text, ...called].join(' && ').slice(0, 4_000);
}

const startsTool = /^(?:npx|pnpx|bunx|pnpm(?: exec)?|yarn(?: run| exec)?|bun x)(?: --?[\w-]+)* /;
const ownPrograms = /^(?:node|bun|deno)\s/;

/** A tool of an installed package is started through the package manager. */
const toCommand = (tool: string, { exec }: Client) => (ownPrograms.test(tool) ? tool : `${exec} ${tool}`);

export interface Excuse {
  command: string;
  reason: string;
}

/** Why a part cannot be a check in a sandbox. */
export function findExcuse({ command, text }: Part): Excuse | undefined {
  if (watchesFiles(text)) return { command, reason: 'it watches files and never exits' };
  if (needsBrowser(`${command} ${text}`))
    return { command, reason: 'it needs a browser, which the sandbox does not have' };
  if (installs.test(text)) return { command, reason: 'it installs packages, which a check cannot do' };
  return undefined;
}

const installs =
  /(?:^|[&;|]\s*)(?:(?:npm|pnpm|yarn|bun) (?:install|i|ci|add)\b|yarn(?=\s*$|\s*&&)|pip3? install\b|(?:sudo )?apt(?:-get)? )/;
const fixes = /\s--(?:fix|write)(?![\w-])/;

/** A linter that repairs what it finds is not a check. */
export const isFixing = ({ check, text }: Part): boolean =>
  (check === 'lint' || check === 'format') && fixes.test(text);
