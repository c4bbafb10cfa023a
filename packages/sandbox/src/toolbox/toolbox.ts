/** The state that all handlers of a toolbox share. */
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createNewcomerList, type ProcessInfo } from '../proc/processes.ts';
import type { Handout } from './changes/hand-out-changes.ts';
import { mkdirInNewBlockGroup } from './new-block-group.ts';
import type { FetchDesk } from './registries/fetch-desk.ts';
import { createOutputPipes, type OutputPipes } from './run/output-pipes.ts';
import type { ProcessFamily } from './run/process-family.ts';
import type { IgnoreRules } from './tree/ignore-rules.ts';
import type { TreeIndex } from './tree/tree-index.ts';

export interface Toolbox {
  /** The private folder that contains the following ones. */
  root: string;
  workspace: string;
  home: string;
  tmp: string;
  /** What command lines call `/tmp`: in a sandbox with its own file system, that is it. */
  scratch: string;
  /** A variable in the environment of every command, by which its processes are found. */
  marker: string;
  searchPath: string;
  ripgrep: string | undefined;
  /** The memory of the sandbox. 0 if it has no limit. */
  memoryMb: number;
  pipes: OutputPipes;
  listNewcomers: () => ProcessInfo[];
  /** Whether the sandbox has its own pid namespace, so that all younger processes come from commands. */
  ownsProcesses: boolean;
  /** The running commands. */
  families: Set<ProcessFamily>;
  /** The files that the host has: the received tree, updated by each confirmed handout. */
  index: TreeIndex;
  ignoreRules: IgnoreRules;
  /** Tracked files that the ignore rules match. Computed on first use. */
  ignoredPaths: string[] | undefined;
  /** Tracked files whose names are not UTF-8, in their decoded form. */
  oddNames: Set<string>;
  treeReceived: boolean;
  handout: Handout | undefined;
  handoutCount: number;
  /** The servers for package managers, once the host has requested them. */
  fetching: Promise<{ desk: FetchDesk; ports: number[] }> | undefined;
}

const noRules: IgnoreRules = { ignores: () => false, covers: () => false, asRootFile: () => '' };

export interface ToolboxPlace {
  folder: string;
  marker: string;
  searchPath: string;
  ripgrep: string | undefined;
  memoryMb: number;
  ownsProcesses: boolean;
}

export function createToolbox({ folder, ...place }: ToolboxPlace): Toolbox {
  const root = realpathSync(folder);
  // It is removed at the end, so it must not contain other files.
  if (readdirSync(root).length > 0)
    throw new Error(`the toolbox must start in an empty folder; ${root} is not empty`);
  const toolbox: Toolbox = {
    root,
    workspace: join(root, 'workspace'),
    home: join(root, 'home'),
    tmp: join(root, 'tmp'),
    scratch: place.ownsProcesses ? '/tmp' : join(root, 'tmp'),
    ...place,
    pipes: createOutputPipes(root),
    listNewcomers: createNewcomerList(),
    families: new Set(),
    index: new Map(),
    ignoreRules: noRules,
    ignoredPaths: undefined,
    oddNames: new Set(),
    treeReceived: false,
    handout: undefined,
    handoutCount: 0,
    fetching: undefined,
  };
  mkdirInNewBlockGroup(root, 'workspace');
  for (const path of [toolbox.home, toolbox.tmp]) mkdirSync(path);
  return toolbox;
}
