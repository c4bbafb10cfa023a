/** What npm, pnpm and yarn have in common: they run scripts of package.json, and must not install anything. */
import type { Form, Refused } from './rule.ts';

export const installs: Refused = {
  reason: 'packages are installed only with install_dependencies, which checks them',
  instead: 'use install_dependencies',
};
export const registry: Refused = {
  reason: 'there is no network in the sandbox, and nothing is published from here',
  instead: 'look into package.json, the lockfile or node_modules',
};
export const fetchesTool: Refused = {
  reason: 'it would fetch a program and run it',
  instead: 'use a tool that is installed in the repository, with npx',
};
export const settings: Refused = { reason: 'settings can make it run programs', instead: 'leave it out' };
export const elsewhere: Refused = {
  reason: 'it would run in another folder',
  instead: 'use cd folder && …',
};

export function refuseAll(refused: Refused, names: string): Record<string, Refused> {
  return Object.fromEntries(names.split(' ').map((name) => [name, refused]));
}

/** Common script names: these may be called without `run` where the tool allows it. */
export const usualScripts = [
  ...[
    'build',
    'lint',
    'lint:fix',
    'typecheck',
    'type-check',
    'types',
    'check',
    'format',
    'format:check',
    'fmt',
    'compile',
  ],
  ...[
    'test:unit',
    'test:integration',
    'test:e2e',
    'test:ci',
    'test:coverage',
    'coverage',
    'e2e',
    'unit',
    'validate',
    'verify',
  ],
  ...[
    'codegen',
    'generate',
    'prettier:check',
    'docs',
    'bench',
    'check-types',
    'check:types',
    'lint:check',
    'clean',
  ],
];

/** Everything after the script's name belongs to the script. */
export const runScript: Form = {
  operands: ['script', 'argument...'],
  stopsAtOperand: true,
};

/** For scripts that are called by their own name. */
export const scriptArguments: Form = { operands: ['argument...'], dashesAreText: true };
