import type { Request } from '@fettle/contract';
import type { Commands } from '../tools/tool.ts';
import { fence } from './fence.ts';
import { describeInstructions, type Instruction } from './instructions.ts';

export interface RequestSurroundings {
  baseBranch: string;
  commands: Commands;
  instructions: Instruction[];
}

/**
 * The request in the words that the model gets. What the person wrote stands as it is; what was pasted or comes from the
 * repository is fenced, so that it reads as data. The repository's word comes first: it stays the same over many requests.
 */
export function requestPrompt(
  request: Request,
  { baseBranch, commands, instructions }: RequestSurroundings,
): string {
  const word = describeInstructions(instructions);
  const asked = describeRequest(request);
  const sections = [
    word,
    word ? `# The request\n${asked}` : asked,
    `The clone is at the head of ${baseBranch}. ${describeCommands(commands)}`,
  ];
  return sections.filter(Boolean).join('\n\n');
}

/** All that was asked for, and with what. */
export function describeRequest(request: Request): string {
  const { description, ticket, targetFiles, errorContext, featureContext } = request;
  const sections = [
    description,
    ticket && `Ticket: ${ticket}`,
    targetFiles.length > 0 && `Files that it is about:\n${bullets(targetFiles)}`,
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
  return `The repository’s checks, by the names of their tools:\n${fence(known.join('\n'))}`;
}

/** What goes over several lines stays below its mark. */
function bullets(items: string[]): string {
  return items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n');
}
