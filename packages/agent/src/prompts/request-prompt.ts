import type { Request } from '@fettle/contract';
import type { Commands } from '../tool.ts';

export interface RequestSurroundings {
  baseBranch: string;
  commands: Commands;
}

/** The request in the words that the model gets. What people pasted is fenced, so that it reads as data. */
export function requestPrompt(request: Request, { baseBranch, commands }: RequestSurroundings): string {
  const { description, targetFiles, errorContext, featureContext } = request;
  const sections = [
    description,
    targetFiles.length > 0 && `Files that it is about:\n${bullets(targetFiles)}`,
    errorContext?.message && `Error message:\n${fence(errorContext.message)}`,
    errorContext?.stack && `Stack trace:\n${fence(errorContext.stack)}`,
    errorContext?.logs && `Logs:\n${fence(errorContext.logs)}`,
    featureContext?.requirements.length && `Requirements:\n${bullets(featureContext.requirements)}`,
    featureContext?.acceptanceCriteria.length &&
      `It is done when:\n${bullets(featureContext.acceptanceCriteria)}`,
    `The clone is at the head of ${baseBranch}. ${describeCommands(commands)}`,
  ];
  return sections.filter(Boolean).join('\n\n');
}

function describeCommands(commands: Commands): string {
  const known = Object.entries(commands).map(([name, command]) => `${name}: ${command}`);
  return known.length > 0 ? `The repository’s checks:\n${bullets(known)}` : 'The repository names no checks.';
}

function bullets(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A fence that the text itself cannot close. */
export function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}\n${text}\n${marks}`;
}
