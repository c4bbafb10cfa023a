import { prepares, waits } from './command-kinds.ts';
import { hashAlike, hashLines, hashResult, hashText, spell } from './fingerprint.ts';
import type { CallMark } from './marks.ts';
import type { NotedCall } from './noted-turn.ts';

const maxLabel = 80;
/** Reading from the same line again shows in the beginning, wherever the reading ends. */
const headCharacters = 300;

export function markCall(call: NotedCall): Omit<CallMark, 'again'> {
  const { tool, input, output, status, changed, effect } = call;
  const spelled = spell(input);
  const result = (effect === 'runs' ? hashLines : hashResult)(`${status}\n${output}`);
  return {
    tool,
    label: labelOf(call),
    call: hashText(`${tool}\n${spelled}`),
    result,
    ...likenessOf(call, { spelled, result }),
    waits: waits(call),
    resets: changed.length > 0 || prepares(call),
  };
}

/**
 * Twenty files are read, and twenty files get the same edit, by calls that are all alike: what succeeds is alike only
 * where it reads the same place of the same file, or runs the same command to the same end. What fails is alike where
 * only paths and numbers differ.
 */
function likenessOf(
  { tool, effect, input, output, status }: NotedCall,
  { spelled, result }: Record<'spelled' | 'result', string>,
) {
  if (status === 'ok') {
    const kin = hashText(`${tool}\n${spellWords(input)}`);
    return { kin, likeness: effect === 'reads' ? hashResult(output.slice(0, headCharacters)) : result };
  }
  // Of an edit that does not fit, the next guess differs in its text, and so does what it is told.
  if (effect === 'writes') return { kin: hashText(tool), likeness: status };
  return { kin: hashAlike(`${tool}\n${spelled}`), likeness: hashAlike(output) };
}

/** The input less offsets, limits and times; a number in a file's name is another matter. */
function spellWords(input: unknown): string {
  const fields = Object.entries(input ?? {}).filter(([, value]) => typeof value !== 'number');
  return spell(Object.fromEntries(fields));
}

function labelOf({ tool, input }: NotedCall): string {
  const { command, path, pattern } = (input ?? {}) as Record<string, unknown>;
  const subject = [command, pattern, path].find((value) => typeof value === 'string' && value !== '');
  if (typeof subject !== 'string') return tool.slice(0, maxLabel);
  const plain = subject.slice(0, maxLabel + 1).replace(/[\p{Cc}\s]+/gu, ' ');
  const cut = plain.length > maxLabel ? `${plain.slice(0, maxLabel)}…` : plain;
  return `${tool.slice(0, maxLabel)} «${cut}»`;
}
