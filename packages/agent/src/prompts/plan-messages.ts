/** The messages to the model when the request needs a plan first. */
import type { Event } from '@fettle/contract';

type Decided = Extract<Event, { type: 'plan.decided' }>;

/** Follows the request. */
export const planFirst =
  'First make a plan, and change nothing yet: until the plan is approved you can only read. Find out what the change needs, then call propose_plan once, with everything that the person who approves it has to know.';

export const planMissing =
  'There is no plan yet, and no work can start without one. Call propose_plan with what you intend to do.';

export const whilePlanning = 'there is no approved plan yet, and until then you can only read';

export function planDecisionMessage({ version, decision, by, message }: Decided): string {
  const said = message === undefined ? '' : `\n\n${by} says:\n\n${message}`;
  if (decision === 'approve')
    return `${by} has approved plan ${version}. Carry it out now; all tools are available.${said}`;
  return `${by} wants plan ${version} changed before any work starts.${said}\n\nRead more if you need to, then call propose_plan with the whole new plan.`;
}
