import { type Plan, planSchema } from '@fettle/contract';
import { defineTool, type Tool, ToolFailure } from './tool.ts';

export const planToolName = 'propose_plan';

/** Says what the agent means to do; the work ends here until a person has decided about it. */
export function createProposePlan(onPlan: (plan: Plan) => void): Tool {
  let isProposed = false;
  return defineTool({
    name: planToolName,
    description:
      'Proposes what you mean to do: the tasks in their order, the files that will change, the risks, and how large it is. A person approves it, or says what to change. Call it once, when you know enough.',
    effect: 'reads',
    tokens: 'stay',
    input: planSchema,
    async run(plan) {
      if (isProposed) throw new ToolFailure('A plan has been proposed already; only the first one counts.');
      isProposed = true;
      onPlan(plan);
      return { output: 'The plan waits for somebody to decide about it.' };
    },
  });
}
