/** What the model is told where a plan comes before the work. */
import type { Event } from '@fettle/contract';

type Decided = Extract<Event, { type: 'plan.decided' }>;

/** Comes after the request. */
export const planFirst =
  'First make a plan, and change nothing yet: until the plan is approved you can only read. Look at what it takes, then call propose_plan once, with everything that the person who approves it has to know.';

export const planMissing =
  'There is no plan yet, and nothing can be done without one. Call propose_plan with what you mean to do.';

export const whilePlanning = 'there is no approved plan yet, and until then you can only read';

export function planWords({ version, decision, by, message }: Decided): string {
  const said = message === undefined ? '' : `\n\n${by} says:\n\n${message}`;
  if (decision === 'approve')
    return `${by} has approved plan ${version}. Carry it out now; you have all tools.${said}`;
  return `${by} wants plan ${version} changed before anything is done.${said}\n\nLook again where you need to, then call propose_plan with the whole new plan.`;
}
