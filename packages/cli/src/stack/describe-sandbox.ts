/** Describes the sandbox that a worker chose, and why not a stronger one, from its ready line. */
import { z } from 'zod';

const readySchema = z.object({
  sandbox: z.string(),
  passedOver: z.array(z.object({ name: z.string(), reason: z.string() })),
});

export function describeSandbox(firstLine: string): string {
  const { sandbox, passedOver } = readySchema.parse(JSON.parse(firstLine));
  const others = passedOver.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  return others === '' ? sandbox : `${sandbox} (not ${others})`;
}
