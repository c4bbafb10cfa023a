import { elsewhere, fetchesTool, refuseAll, settings } from './package-scripts.ts';
import type { Program } from './rule.ts';

export const npx: Program = {
  names: ['npx', 'bunx'],
  reason: 'runs a tool that is installed in the repository, checked by that tool’s own rule',
  wordFlags: true,
  flags: '--no-install --no --offline --quiet -q --version --bun',
  operands: ['node-tool...'],
  stopsAtOperand: true,
  minOperands: 1,
  minUnless: ['--version'],
  refused: {
    ...refuseAll(fetchesTool, '-y --yes -p --package --prefer-online'),
    ...refuseAll(settings, '-c --call --shell --node-options --userconfig --ignore-existing'),
    ...refuseAll(elsewhere, '-w --workspace -C --prefix'),
  },
  match: [
    'npx eslint src',
    'bunx biome check src',
    'npx --no-install tsc --noEmit',
    'npx --no-install prettier --check .',
    'npx vitest run src/a.test.ts',
  ],
  notMatch: [
    'npx evil',
    'npx -y eslint .',
    'npx -p evil evil',
    'npx -c id',
    'npx --package=. evil',
    'npx eslint@latest .',
    'npx eslint --rulesdir /x',
    'npx',
    'npx ls',
  ],
};
