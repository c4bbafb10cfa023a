import type { Assignment, Command, CommandArgument, Redirection } from 'unbash';
import { findVariableFault } from '../environment-names.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { readHereDocument } from './here-document.ts';
import type { PlanStep } from './parse-line.ts';
import { readRedirect } from './read-redirect.ts';
import { refuseSyntax } from './refuse-syntax.ts';
import { resolveAssigned, resolveWord } from './resolve-word.ts';

const MAX_WORDS = 1000;
const MAX_REDIRECTS = 10;

type Item = CommandArgument | Redirection;
type PlanCommand = PlanStep['commands'][number];

export function readCommand(command: Command, line: string): { ok: true; value: PlanCommand } | Refusal {
  const written = line.slice(command.pos, command.end);
  if (command.name === undefined) {
    return refuse('shell/no-command', 'there is no program in this part of the line', {
      token: written,
      instead: 'put NAME=value in front of the command; create an empty file with touch',
    });
  }
  const value: PlanCommand = { argv: [], env: {}, redirects: [] };
  const items = [...command.prefix, command.name, ...command.suffix];
  for (const [index, item] of items.entries()) {
    const fault = readItem(item, value, { isPrefix: index < command.prefix.length, line });
    if (fault !== undefined) return fault;
  }
  if (value.argv.length > MAX_WORDS || value.redirects.length > MAX_REDIRECTS) {
    return refuse(
      'shell/too-long',
      `a command may have ${MAX_WORDS} words and ${MAX_REDIRECTS} redirections`,
    );
  }
  return { ok: true, value };
}

function readItem(
  item: Item,
  command: PlanCommand,
  { isPrefix, line }: { isPrefix: boolean; line: string },
): Refusal | undefined {
  switch (item.type) {
    case 'HereDoc': {
      const text = readHereDocument(item, line);
      if (!text.ok) return text;
      command.redirects.push({ kind: 'text', text: text.value });
      return undefined;
    }
    case 'HereString':
      return refuseSyntax('HereString', `<<<${item.target?.text ?? ''}`);
    case 'Assignment':
      return isPrefix ? readAssignment(item, command.env) : refuseAssignment(item);
    case 'Redirect': {
      const redirect = readRedirect(item);
      if (!redirect.ok) return redirect;
      command.redirects.push(redirect.value);
      return undefined;
    }
    case 'Word': {
      const words = resolveWord(item);
      if (!words.ok) return words;
      command.argv.push(...words.value);
      return undefined;
    }
  }
}

function readAssignment(assignment: Assignment, env: Record<string, string>): Refusal | undefined {
  const { value, append, index, name } = assignment;
  if (value.type !== 'Word' || append || index !== undefined) return refuseAssignment(assignment);
  if (/(^|:)~/.test(value.text)) {
    return refuse('shell/tilde', 'there is no home folder here', { token: assignment.text });
  }
  const text = resolveAssigned(value);
  if (!text.ok) return text;
  const fault = findVariableFault(name, text.value);
  if (fault !== undefined) return fault;
  env[name] = text.value;
  return undefined;
}

function refuseAssignment(assignment: Assignment): Refusal {
  return refuse('shell/variable', 'lists and additions to variables are not known here', {
    token: assignment.text,
    instead: 'write NAME=value in front of a command',
  });
}
