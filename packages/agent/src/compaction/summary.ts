/** The texts that replace the turns that were left out. */
import type { Message } from '../model/model.ts';
import { fence } from '../prompts/fence.ts';

export const summaryRequest = `(Fettle: the conversation is about to be shortened; the newest turns stay. Do not call a tool now. Write down what you need to continue, short and exact, under these headings:
## Goal
The request, and later messages from people.
## Decisions
Each decision and its reason.
## Files touched
Each path and what was changed there.
## What failed and why
## What is next)`;

const heading = '(Fettle: earlier turns were left out to save space. This is your summary of them.)';
const plainHeading =
  '(Fettle: earlier turns were left out to save space. This is a short list of what happened in them.)';

const maxSummary = 24_000;

export function writtenSummary(text: string): string {
  return `${heading}\n\n${text.slice(0, maxSummary)}`;
}

const maxLine = 300;
/** Longer than a message from a person may be. */
const maxUserMessage = 12_000;

/**
 * Builds a summary without the model. If not everything fits, user messages (from people, checks and earlier summaries)
 * take precedence over the list of calls, and newer lines over older ones.
 */
export function plainSummary(messages: Message[]): string {
  // Without the request, which stays in the conversation.
  const lines = messages.flatMap(linesOf).slice(1);
  const isUserMessage = (line: string) => line.startsWith(userMessagePrefix);
  const messagesText = keepEnd(lines.filter(isUserMessage).join('\n\n'));
  const actions = keepNewest(
    lines.filter((line) => !isUserMessage(line)),
    maxSummary - messagesText.length,
  );
  return `${plainHeading}\n\n${messagesText}${actionsHeading}${fence(actions.join('\n'))}`;
}

const userMessagePrefix = 'User message: ';
const actionsHeading = '\n\nActions (data):\n';

/** The lines of an earlier plain summary, so that summaries do not nest. */
function unpack(summary: string): string[] {
  const end = summary.lastIndexOf(actionsHeading);
  const messagesText = summary.slice(plainHeading.length, end).trim();
  const actions = summary
    .slice(end + actionsHeading.length)
    .split('\n')
    .slice(1, -1);
  return messagesText === '' ? actions : [messagesText, ...actions];
}

function keepEnd(text: string): string {
  return text.length <= maxSummary ? text : `${userMessagePrefix}… ${text.slice(-maxSummary)}`;
}

function keepNewest(lines: string[], maxCharacters: number): string[] {
  let left = maxCharacters;
  const cut = lines.findLastIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return lines.slice(cut + 1);
}

function linesOf(message: Message): string[] {
  if (message.role === 'user')
    return message.items.flatMap((item) => {
      if (item.kind === 'text')
        return item.text.startsWith(plainHeading)
          ? unpack(item.text)
          : [`${userMessagePrefix}${cutMessage(item.text)}`];
      return item.isError ? [`- failed: ${firstLine(item.output)}`] : [];
    });
  return message.blocks.flatMap((block) => {
    if (block.kind === 'text') return [`- said: ${firstLine(block.text)}`];
    if (block.kind === 'tool') return [`- called ${block.tool} ${firstLine(JSON.stringify(block.input))}`];
    return [];
  });
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, maxLine);
}

/** A cut may remove the end of a fence in the text, so a cut text gets its own fence. */
function cutMessage(text: string): string {
  return text.length <= maxUserMessage ? text : `\n${fence(text.slice(0, maxUserMessage))}`;
}
