import { randomBytes } from 'node:crypto';
import { fetchProgram, listCandidates, ProgramError, type SystemProgram } from '@fettle/system-packages';
import { GitleaksError, installAdvice } from './gitleaks-error.ts';
import { scanWithGitleaks } from './scan-with-gitleaks.ts';

/** Debian 12 has none, and Debian 13's cannot read standard input. Later ones run on both. */
const gitleaks: SystemProgram = {
  name: 'gitleaks',
  folder: 'gitleaks',
  packages: ['gitleaks'],
  path: 'usr/bin/gitleaks',
  proof: ['version'],
  release: 'forky',
  advice: installAdvice,
};

/** A working gitleaks on this machine, verified with a test secret. Throws when there is none. */
export async function findGitleaks(home: string): Promise<string> {
  const found = await listCandidates(home, gitleaks);
  for (const program of found) if (await works(program)) return program;
  const message =
    found.length === 0
      ? 'There is no gitleaks on this machine.'
      : `No gitleaks of this machine finds a secret that it is given (${found.join(', ')}).`;
  throw new GitleaksError('gitleaks_missing', message);
}

/** For set-up: the installed one, or a downloaded one. */
export async function ensureGitleaks(home: string): Promise<string> {
  try {
    return await findGitleaks(home);
  } catch (error) {
    if (!(error instanceof GitleaksError)) throw error;
  }
  try {
    await fetchProgram(home, gitleaks);
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    throw new GitleaksError(
      'gitleaks_missing',
      [error.message, error.log].filter(Boolean).join('\n'),
      error.advice,
    );
  }
  return findGitleaks(home);
}

/** A scanner that runs and finds nothing is worse than none. */
async function works(program: string): Promise<boolean> {
  const canary = ['gh', 'p_', randomBytes(27).toString('hex').slice(0, 36)].join('');
  try {
    const findings = await scanWithGitleaks(`t = "${canary}" // gitleaks:allow`, {
      program,
      filename: 'canary',
    });
    return findings.length === 1;
  } catch (error) {
    if (error instanceof GitleaksError) return false;
    throw error;
  }
}
