import { z } from 'zod';

export const totalsSchema = z.object({
  parts: z.int(),
  turns: z.int(),
  tokens: z.int(),
  usd: z.number().default(0).describe('At list prices; nothing for a model whose prices are not known'),
});
export type Totals = z.infer<typeof totalsSchema>;
