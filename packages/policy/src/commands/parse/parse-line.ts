/**
 * Turns a command line into a plan. unbash parses; this file says which of its nodes can be executed without a shell,
 * and denies all others.
 */
import type { CommandPlan } from '@fettle/contract';
import { type Command, type CommandNode, type PipelineNode, parse, type Statement } from 'unbash';
import { type Refusal, refuse } from '../refusal.ts';
import { findContinuation } from './find-continuation.ts';
import { findStrayText } from './find-stray-text.ts';
import { findForbiddenCharacter } from './forbidden-characters.ts';
import { readCommand } from './read-command.ts';
import { refuseSyntax, shorten } from './refuse-syntax.ts';
import type { PlanWord } from './resolve-word.ts';

const MAX_LINE_LENGTH = 10_000;
const MAX_STEPS = 50;
const MAX_PIPE = 20;

/** A step of a plan before its paths are judged. */
export interface PlanStep {
  when: CommandPlan[number]['when'];
  commands: (Omit<CommandPlan[number]['commands'][number], 'argv'> & { argv: PlanWord[] })[];
}

export function parseLine(line: string): { ok: true; plan: PlanStep[] } | Refusal {
  if (line.length > MAX_LINE_LENGTH) return tooMuch(`a line may have ${MAX_LINE_LENGTH} characters`);
  const character = findForbiddenCharacter(line);
  if (character !== undefined) return character;
  const script = parse(line);
  const error = script.errors?.[0];
  if (error !== undefined) {
    return refuse('shell/syntax', `the line cannot be parsed: ${error.message}`, {
      token: line.slice(error.pos, error.pos + 20) || line.slice(-20),
      instead: 'check the quotes: every opening quote needs a closing one',
    });
  }
  const continuation = findContinuation(line, script);
  if (continuation !== undefined) return continuation;
  const plan: PlanStep[] = [];
  for (const statement of script.commands) {
    const steps = readStatement(statement, line);
    if ('ok' in steps) return steps;
    plan.push(...steps);
    if (plan.length > MAX_STEPS) return tooMuch(`a line may have ${MAX_STEPS} commands in a row`);
  }
  const stray = findStrayText(line, script);
  if (stray !== undefined) {
    const instead = 'quote it if it is meant as it stands';
    return refuse('shell/syntax', 'the line cannot be parsed', { token: shorten(stray), instead });
  }
  return plan.length > 0 ? { ok: true, plan } : refuse('shell/empty', 'there is no command in the line');
}

function readStatement(statement: Statement, line: string): PlanStep[] | Refusal {
  if (statement.background) return refuseSyntax('Coproc', '&');
  const { command } = statement;
  if (command.type !== 'AndOr') return readSteps([command], ['always'], line);
  const conditions = command.operators.map((operator) =>
    operator === '&&' ? ('success' as const) : ('failure' as const),
  );
  return readSteps(command.commands, ['always', ...conditions], line);
}

function readSteps(
  nodes: readonly PipelineNode[],
  conditions: PlanStep['when'][],
  line: string,
): PlanStep[] | Refusal {
  const steps: PlanStep[] = [];
  for (const [index, node] of nodes.entries()) {
    const commands = readPipeline(node, line);
    if ('ok' in commands) return commands;
    steps.push({ when: conditions[index] ?? 'always', commands });
  }
  return steps;
}

function readPipeline(node: PipelineNode, line: string): PlanStep['commands'] | Refusal {
  if (node.type !== 'Pipeline') return readCommands([node], line);
  const prefix = node.prefixes[0];
  if (prefix !== undefined) return refuseSyntax(prefix.type, line.slice(prefix.pos, prefix.end));
  if (node.commands.length > MAX_PIPE) return tooMuch(`a pipe may have ${MAX_PIPE} commands`);
  const commands = readCommands(node.commands, line);
  if ('ok' in commands) return commands;
  for (const [index, operator] of node.operators.entries()) {
    if (operator === '|&') commands[index]?.redirects.push({ kind: 'duplicate', from: '2', to: '1' });
  }
  return commands;
}

function readCommands(nodes: readonly CommandNode[], line: string): PlanStep['commands'] | Refusal {
  const commands: PlanStep['commands'] = [];
  for (const node of nodes) {
    const command = isSimple(node)
      ? readCommand(node, line)
      : refuseSyntax(node.type, line.slice(node.pos, node.end));
    if (!command.ok) return command;
    commands.push(command.value);
  }
  return commands;
}

function isSimple(node: CommandNode): node is Command {
  return node.type === 'Command';
}

function tooMuch(reason: string): Refusal {
  return refuse('shell/too-long', reason, { instead: 'split it into several calls' });
}
