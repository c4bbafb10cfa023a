import { z } from 'zod';

export const totalsSchema = z.object({ parts: z.int(), turns: z.int(), tokens: z.int() });
export type Totals = z.infer<typeof totalsSchema>;
