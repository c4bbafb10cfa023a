import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from './lifetime.ts';

/** Stands in for gitleaks, and knows a kind of secret that our own scanner does not. */
const program = `#!/bin/sh
grep -oE 'ghp_[0-9a-f]{36}|planted-[a-z]+-words' | sed 's/.*/{"RuleID":"planted","Secret":"&"}/' | paste -sd, | sed 's/.*/[&]/'
exit 42
`;

export function installSecondScanner(): { path: string; folder: string } {
  const folder = openFolder('second-scanner');
  const path = join(folder, 'gitleaks');
  writeFileSync(path, program, { mode: 0o755 });
  return { path, folder };
}
