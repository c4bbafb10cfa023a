/** Command lines from recorded runs of agents, with the verdict of `strict` before its false denials were removed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const lineSchema = z.strictObject({
  id: z.string(),
  /** `harmless` in a sandbox without network and secrets, or why not. */
  class: z.enum(['harmless', 'network', 'secrets', 'guard']),
  command: z.string(),
  /** `allow`, or `deny` with the rule. */
  baseline: z.string(),
});

export function readAgentCommands(): z.infer<typeof lineSchema>[] {
  const path = join(import.meta.dirname, '../../../../../test/corpora/agent-commands.jsonl');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => lineSchema.parse(JSON.parse(line)));
}
