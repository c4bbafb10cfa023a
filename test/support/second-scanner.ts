import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stands in for gitleaks, and knows a kind of secret that our own scanner does not. */
const program = `#!/bin/sh
grep -oE 'ghp_[0-9a-f]{36}|planted-[a-z]+-words' | sed 's/.*/{"RuleID":"planted","Secret":"&"}/' | paste -sd, | sed 's/.*/[&]/'
exit 42
`;

export function installSecondScanner(): { path: string; folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'second-scanner-'));
  const path = join(folder, 'gitleaks');
  writeFileSync(path, program, { mode: 0o755 });
  return { path, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
