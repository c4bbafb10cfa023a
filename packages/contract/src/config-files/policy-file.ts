import { z } from 'zod';
import { commandRulesSchema } from '../policy/command-rules.ts';
import { readYaml, type YamlReading } from './read-yaml.ts';

const layer = z.strictObject({
  commands: commandRulesSchema
    .default([])
    .describe('Commands that neither the agent nor set-up may run, in addition to the built-in rules'),
});

/** The operator's policy file: rules in addition to the built-in ones, for all repositories or for those of one organization. */
export const policyFileSchema = z.strictObject({
  version: z.literal(1).default(1),
  ...layer.shape,
  organizations: z.record(z.string().min(1).max(100), layer).default({}),
});
export type PolicyFile = z.infer<typeof policyFileSchema>;

export const noPolicyFile: PolicyFile = { version: 1, commands: [], organizations: {} };

export function readPolicyFile(text: string): YamlReading<PolicyFile> {
  return readYaml(text, policyFileSchema);
}
