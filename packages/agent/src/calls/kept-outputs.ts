/** Whole outputs of which the model saw only head and tail, for read_output. Holds the newest ones in memory only. */
export interface KeptOutputs {
  keep(part: number, output: string): void;
  find(part: number): string | undefined;
}

export function createKeptOutputs(maxCharacters = 4_000_000): KeptOutputs {
  const outputs = new Map<number, string>();
  let held = 0;
  return {
    keep(part, output) {
      const kept = output.slice(0, maxCharacters);
      outputs.set(part, kept);
      held += kept.length;
      for (const [oldest, text] of outputs) {
        if (held <= maxCharacters) break;
        outputs.delete(oldest);
        held -= text.length;
      }
    },
    find: (part) => outputs.get(part),
  };
}
