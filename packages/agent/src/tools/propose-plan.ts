import { type Plan, planSchema } from '@fettle/contract';
import { defineTool, type Tool, ToolFailure } from './tool.ts';

export const planToolName = 'propose_plan';

/** Proposes a plan. The round ends with it, and work continues when a person has decided. */
export function createProposePlan(onPlan: (plan: Plan) => void): Tool {
  let isProposed = false;
  return defineTool({
    name: planToolName,
    description:
      'Proposes a plan: the tasks in order, the files that will change, the risks and the size of the change. A person approves the plan or asks for changes. Call it once, when you know enough.',
    effect: 'reads',
    paths: 'none',
    tokens: 'stay',
    input: planSchema,
    async run(plan) {
      if (isProposed) throw new ToolFailure('A plan has already been proposed; only the first one counts.');
      isProposed = true;
      onPlan(plan);
      return { output: 'The plan is waiting for approval.' };
    },
  });
}
