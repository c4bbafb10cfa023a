/**
 * Layers on top of the built-in rules: what an operator, an organization or a repository also forbids. A layer cannot
 * allow anything, so the order of layers does not matter.
 */
import type { commandRuleSchema } from '@fettle/contract';
import type { z } from 'zod';
import { type Refusal, refuse } from './refusal.ts';

export interface CommandLayer {
  layer: 'operator' | 'organization' | 'repository';
  rules: z.input<typeof commandRuleSchema>[];
}

/** What was recognized in one simple command. */
export interface Recognized {
  programs: string[];
  subcommands: string[];
  flags: string[];
}

export interface LayerHit {
  decision: 'deny' | 'approve';
  refusal: Refusal;
}

/** The strictest matching rule across all layers. */
export function findLayerRule(layers: CommandLayer[], command: Recognized): LayerHit | undefined {
  const hits = layers.flatMap(({ layer, rules }) =>
    rules
      .filter(
        (rule) =>
          command.programs.includes(rule.program) &&
          (rule.subcommand === undefined || command.subcommands.includes(rule.subcommand)) &&
          (rule.flag === undefined || findFlag(rule.flag, command) !== undefined),
      )
      .map(({ program, subcommand, flag, decision = 'deny', reason, instead }): LayerHit => {
        const given = flag === undefined ? undefined : findFlag(flag, command);
        const token = [program, subcommand, given].filter((part) => part !== undefined).join(' ');
        const more = instead === undefined ? { token } : { token, instead };
        return { decision, refusal: refuse(`${layer}: ${token}`, reason, more) };
      }),
  );
  return hits.find((hit) => hit.decision === 'deny') ?? hits[0];
}

function findFlag(flag: string | string[], { flags }: Recognized): string | undefined {
  return [flag].flat().find((spelling) => flags.includes(spelling));
}
