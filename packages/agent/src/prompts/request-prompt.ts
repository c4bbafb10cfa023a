import type { Request } from '@fettle/contract';
import type { Commands } from '../tools/tool.ts';
import { fence } from './fence.ts';
import { describeInstructions, type Instruction } from './instructions.ts';

export interface RequestContext {
  baseBranch: string;
  commands: Commands;
  instructions: Instruction[];
}

/**
 * The first user message. The person's own text stays as it is; pasted text and text from the repository is fenced as
 * data. The repository's instructions come first because they are the same for many requests, which helps the cache.
 */
export function requestPrompt(
  request: Request,
  { baseBranch, commands, instructions }: RequestContext,
): string {
  const fromRepository = describeInstructions(instructions);
  const asked = describeRequest(request);
  const sections = [
    fromRepository,
    fromRepository ? `# The request\n${asked}` : asked,
    `The clone is at the head of ${baseBranch}. ${describeCommands(commands)}`,
  ];
  return sections.filter(Boolean).join('\n\n');
}

/** Everything that the request contains. */
export function describeRequest(request: Request): string {
  const { description, ticket, targetFiles, errorContext, featureContext } = request;
  const sections = [
    description,
    ticket && `Ticket: ${ticket}`,
    targetFiles.length > 0 && `Files concerned:\n${bullets(targetFiles)}`,
    featureContext?.requirements.length && `Requirements:\n${bullets(featureContext.requirements)}`,
    featureContext?.acceptanceCriteria.length &&
      `It is done when:\n${bullets(featureContext.acceptanceCriteria)}`,
    errorContext?.message && `Error message (data):\n${fence(errorContext.message)}`,
    errorContext?.stack && `Stack trace (data):\n${fence(errorContext.stack)}`,
    errorContext?.logs && `Logs (data):\n${fence(errorContext.logs)}`,
  ];
  return sections.filter(Boolean).join('\n\n');
}

function describeCommands(commands: Commands): string {
  const known = Object.entries(commands).map(([name, command]) => `${name}: ${command}`);
  if (known.length === 0) return 'No checks of the repository are known.';
  return `The repository’s checks, by tool name:\n${fence(known.join('\n'))}`;
}

/** The lines of a multi-line item are indented under its bullet. */
function bullets(items: string[]): string {
  return items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n');
}
