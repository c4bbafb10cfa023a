/** Which sandbox a worker took, and why not a stronger one, from the line by which it says that it is ready. */
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
