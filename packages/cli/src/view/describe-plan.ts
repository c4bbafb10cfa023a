import type { Plan, PlanStatus } from '@fettle/contract';
import { harmless, harmlessLine } from './harmless.ts';
import { bold, dim, type Line } from './line.ts';
import { wrapText } from './text/text-width.ts';

export function describePlan(version: number, plan: Plan, width: number): Line[] {
  const { tasks, files, risks, estimate } = plan;
  return [
    [bold(`  plan ${version}`), dim(`  ${harmlessLine(estimate)}`)],
    ...tasks.flatMap((task, index) => describeItem(`${index + 1}.`, task, width)),
    ...(files.length > 0 ? [[dim('  files: '), files.map(harmlessLine).join(', ')]] : []),
    ...(risks.length > 0 ? [[dim('  risks:')]] : []),
    ...risks.flatMap((risk) => describeItem('-', risk, width)),
  ];
}

export function describePlanStatus(status: PlanStatus, width: number): Line[] {
  const { version, plan, decision, decidedBy, message } = status;
  const decided: Line[] =
    decision === null
      ? [[dim('  not decided yet')]]
      : [[describeDecision({ version, decision, by: decidedBy ?? '', message })]];
  return [...describePlan(version, plan, width), ...decided];
}

const verbs = { approve: 'approved', change: 'asked for changes to', cancel: 'cancelled' };

export function describeDecision(decided: {
  version: number;
  decision: keyof typeof verbs;
  by: string;
  message?: string | null | undefined;
}): string {
  const { version, decision, by, message } = decided;
  const text = message ? `: ${harmlessLine(message)}` : '';
  return `  ${harmlessLine(by)} ${verbs[decision]} plan ${version}${text}`;
}

function describeItem(mark: string, text: string, width: number): Line[] {
  return wrapText(harmless(text), width - 8).map((line, index) => [
    dim(`    ${(index === 0 ? mark : '').padEnd(3)}`),
    line,
  ]);
}
