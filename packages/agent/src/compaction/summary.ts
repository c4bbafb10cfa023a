/** What stands in the place of the turns that the model does not see any more. */
import type { Message, UserItem } from '../model/model.ts';
import { spoken } from '../prompts/people-words.ts';

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
/** Of what must not be forgotten: what people said, and what the model itself had summed up. */
const maxKeptLine = 10_000;
const summedUp = '- summed up before: ';

/** Made by plain code, where the model could not be asked. The newest come first when there is no room for all. */
export function plainSummary(messages: Message[]): string {
  const lines = messages.flatMap(linesOf);
  const isLasting = (line: string) => line.includes(spoken) || line.startsWith(summedUp);
  const lasting = keepNewest(lines.filter(isLasting), maxSummary / 2);
  const others = keepNewest(
    lines.filter((line) => !isLasting(line)),
    maxSummary - lasting.join('\n').length,
  );
  return `${plainHeading}\n\n${[...lasting, ...others].join('\n')}`;
}

/** The request itself, the first thing said, stays as it is. */
function linesOf(message: Message, place: number): string[] {
  if (message.role === 'user') return message.items.slice(place === 0 ? 1 : 0).flatMap(lineOfItem);
  return message.blocks.flatMap((block) => {
    if (block.kind === 'text') return [`- said: ${firstLine(block.text)}`];
    if (block.kind === 'tool') return [`- called ${block.tool} ${firstLine(JSON.stringify(block.input))}`];
    return [];
  });
}

function lineOfItem(item: UserItem): string[] {
  if (item.kind === 'result') return item.isError ? [`- failed: ${firstLine(item.output)}`] : [];
  const { text } = item;
  if (text.startsWith(plainHeading)) return text.slice(plainHeading.length).trim().split('\n');
  if (text.startsWith(heading)) return [summedUp + onOneLine(text.slice(heading.length))];
  const said = text.indexOf(spoken);
  if (said === -1) return [`- told: ${firstLine(text)}`];
  return [`- ${onOneLine(text.slice(text.lastIndexOf('\n', said) + 1))}`];
}

function keepNewest(lines: string[], characters: number): string[] {
  const kept: string[] = [];
  let room = characters;
  for (const line of lines.toReversed()) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.unshift(line);
  }
  return kept;
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, maxKeptLine);
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, maxLine);
}
