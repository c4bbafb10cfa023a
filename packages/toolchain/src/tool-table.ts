/** The npm packages that carry the tools. Platform packages contain the program itself and need no install script. */
import type { ToolName } from '@fettle/contract';
import { major } from 'semver';

export type { ToolName };

interface ToolPackage {
  name: string;
  /** Where the programs are in the package. Without this, its package.json names them. */
  programs?: Record<string, string>;
}

const platform = `linux-${process.arch}`;
const bunPlatform = process.arch === 'arm64' ? 'linux-aarch64' : platform;

const packages: Record<ToolName, ToolPackage> = {
  node: { name: `node-${platform}`, programs: { node: 'bin/node' } },
  npm: { name: 'npm' },
  pnpm: { name: 'pnpm' },
  'yarn-classic': { name: 'yarn' },
  yarn: { name: '@yarnpkg/cli-dist' },
  bun: { name: `@oven/bun-${bunPlatform}`, programs: { bun: 'bin/bun', bunx: 'bin/bun' } },
  deno: { name: `@deno/${platform}-glibc`, programs: { deno: 'deno' } },
};

/** From version 12 on, pnpm is a native program, and its main package downloads it in an install script. */
const nativePnpm: ToolPackage = { name: `@pnpm/exe.${platform}`, programs: { pnpm: 'pnpm' } };
const firstNativePnpm = 12;

/** The package whose versions are listed. */
export const listedPackage = (tool: ToolName): string => packages[tool].name;

export function packageOf(tool: ToolName, version: string): ToolPackage {
  return tool === 'pnpm' && major(version) >= firstNativePnpm ? nativePnpm : packages[tool];
}

/** For a repository that names no version. Node is missing here, because Fettle's own is used. */
export const defaultRanges: Record<Exclude<ToolName, 'node'>, string> = {
  npm: '^11',
  pnpm: '^10',
  'yarn-classic': '^1.22',
  yarn: '^4',
  bun: '^1',
  deno: '^2',
};

/** The newest npm that runs on a version of Node. */
export const npmRanges: [node: string, npm: string][] = [
  ['^20.17 || >=22.9', '^11'],
  ['>=18.17', '^10'],
  ['^14.17 || ^16.13 || >=18', '^9'],
  ['^12.13 || >=14.15', '^8'],
  ['*', '^6'],
];

/** Names of Node's long-term releases, as in `lts/iron`. */
export const ltsNames: Record<string, string> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};
