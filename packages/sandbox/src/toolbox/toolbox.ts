// What the handlers of one toolbox share.
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createNewcomerList, type ProcessInfo } from '../proc/processes.ts';
import type { Handout } from './changes/hand-out-changes.ts';
import { makeApart } from './new-block-group.ts';
import type { FetchDesk } from './registries/fetch-desk.ts';
import { createOutputPipes, type OutputPipes } from './run/output-pipes.ts';
import type { ProcessFamily } from './run/process-family.ts';
import type { IgnoreRules } from './tree/ignore-rules.ts';
import type { TreeIndex } from './tree/tree-index.ts';

export interface Toolbox {
  /** The private folder with everything below in it. */
  root: string;
  workspace: string;
  home: string;
  tmp: string;
  /** Stands in the environment of every command, so that its processes can be found wherever they went. */
  marker: string;
  searchPath: string;
  ripgrep: string | undefined;
  pipes: OutputPipes;
  listNewcomers: () => ProcessInfo[];
  /** Whether the sandbox numbers its own processes, so that all that are newer came from here. */
  ownsProcesses: boolean;
  /** The commands under way. */
  families: Set<ProcessFamily>;
  /** What the host has: the received tree, moved forward by each handout that arrived. */
  index: TreeIndex;
  ignoreRules: IgnoreRules;
  /** Tracked files that the rules cover; found when first needed. */
  ignoredPaths: string[] | undefined;
  /** Paths of tracked files whose names are no UTF-8, as they read when decoded all the same. */
  oddNames: Set<string>;
  treeReceived: boolean;
  handout: Handout | undefined;
  handoutCount: number;
  /** The servers for package managers, once the host has asked for them. */
  fetching: Promise<{ desk: FetchDesk; ports: number[] }> | undefined;
}

const noRules: IgnoreRules = { ignores: () => false, covers: () => false, asRootFile: () => '' };

export interface ToolboxPlace {
  folder: string;
  marker: string;
  searchPath: string;
  ripgrep: string | undefined;
  ownsProcesses: boolean;
}

export function createToolbox({ folder, marker, searchPath, ripgrep, ownsProcesses }: ToolboxPlace): Toolbox {
  const root = realpathSync(folder);
  // It is removed at the end, so nothing of anybody else's may be in it.
  if (readdirSync(root).length > 0) throw new Error(`the toolbox starts in an empty folder; ${root} is not`);
  const toolbox: Toolbox = {
    root,
    workspace: join(root, 'workspace'),
    home: join(root, 'home'),
    tmp: join(root, 'tmp'),
    marker,
    searchPath,
    ripgrep,
    pipes: createOutputPipes(root),
    listNewcomers: createNewcomerList(),
    ownsProcesses,
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
  makeApart(root, 'workspace');
  for (const path of [toolbox.home, toolbox.tmp]) mkdirSync(path);
  return toolbox;
}
