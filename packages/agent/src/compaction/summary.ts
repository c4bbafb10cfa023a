/** What stands in the place of the turns that the model does not see any more. */
import type { Message } from '../model/model.ts';
import { fence } from '../prompts/fence.ts';

export const summaryRequest = `(Fettle: the conversation is about to be shortened; the newest turns stay. Do not call a tool now. Write what you will need to go on, short and exact, under these headings:
## Goal
What was asked for, and what people said later.
## Decisions
What was decided, and why.
## Files touched
Each path, and what was done there.
## What failed and why
## What is next)`;

const heading = '(Fettle: the turns before were left out to save room. This is what you wrote of them.)';
const plainHeading =
  '(Fettle: the turns before were left out to save room. This is what the record says of them in short.)';

const maxSummary = 24_000;

export function writtenSummary(text: string): string {
  return `${heading}\n\n${text.slice(0, maxSummary)}`;
}

const maxLine = 300;
/** More than a person's message may have. */
const maxTold = 12_000;

/**
 * Made by plain code, where the model could not be asked. Where there is no room for all, the newest come first, and
 * before everything what was told: by people, by checks, by the summary before this one. The rest quotes outputs.
 */
export function plainSummary(messages: Message[]): string {
  // Behind the request, which stays where it is.
  const lines = messages.flatMap(linesOf).slice(1);
  const isTold = (line: string) => line.startsWith(told);
  const words = keepEnd(lines.filter(isTold).join('\n\n'));
  const deeds = keepNewest(
    lines.filter((line) => !isTold(line)),
    maxSummary - words.length,
  );
  return `${plainHeading}\n\n${words}${wordsEnd}${fence(deeds.join('\n'))}`;
}

const told = 'You were told: ';
const wordsEnd = '\n\nWhat was done (data):\n';

/** What an earlier one of these held: they do not nest. */
function unpack(summary: string): string[] {
  const place = summary.lastIndexOf(wordsEnd);
  const words = summary.slice(plainHeading.length, place).trim();
  const deeds = summary
    .slice(place + wordsEnd.length)
    .split('\n')
    .slice(1, -1);
  return words === '' ? deeds : [words, ...deeds];
}

function keepEnd(words: string): string {
  return words.length <= maxSummary ? words : `${told}… ${words.slice(-maxSummary)}`;
}

function keepNewest(lines: string[], maxCharacters: number): string[] {
  let room = maxCharacters;
  const cut = lines.findLastIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  return lines.slice(cut + 1);
}

function linesOf(message: Message): string[] {
  if (message.role === 'user')
    return message.items.flatMap((item) => {
      if (item.kind === 'text')
        return item.text.startsWith(plainHeading) ? unpack(item.text) : [`${told}${cutWords(item.text)}`];
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

/** What is cut may have lost the end of a fence in it, and gets one of its own. */
function cutWords(text: string): string {
  return text.length <= maxTold ? text : `\n${fence(text.slice(0, maxTold))}`;
}
