/** Real sources, in which nothing is a secret: this repository, and large packages that it depends on. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Finding, scanText } from '@fettle/secrets';

const root = join(import.meta.dirname, '../../..');
const modules = join(root, 'node_modules', '.pnpm');
const sourceName = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|css|html|map|prisma|sh)$/;
export const largePackages = ['prisma', '@anthropic-ai+sdk', 'zod', 'bullmq', 'eslint'];

export function listOwnSources(): string[] {
  const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return tracked
    .map((file) => join(root, file))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

export function listPackageSources(name: string): string[] {
  const folder = readdirSync(modules).find((each) => each.startsWith(`${name}@`));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  const base = join(modules, folder, 'node_modules', name.replace('+', '/'));
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && sourceName.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

export interface FalseAlarms {
  lines: number;
  findings: Finding[];
  inTenThousandLines: number;
}

export function countFalseAlarms(files: string[]): FalseAlarms {
  let lines = 0;
  const findings = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    lines += text.split('\n').length;
    return scanText(text, { filename: relative(root, file) });
  });
  return { lines, findings, inTenThousandLines: (findings.length / lines) * 10_000 };
}
