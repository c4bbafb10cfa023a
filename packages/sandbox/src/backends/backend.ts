// A backend's one duty: start a toolbox and hand over its stream.
import type { Readable, Writable } from 'node:stream';
import type { Sandbox } from '../host/sandbox.ts';
import type { BrokerAddress } from './broker-client.ts';
import type { SandboxLimits } from './limits.ts';

/** What a sandbox has used, as far as its backend can tell. */
export interface ToolboxUsage {
  cpuMs: number;
  /** The most that was seen. */
  memoryPeakBytes: number;
  /** Read and written, where it is counted. */
  ioBytes?: number | undefined;
  /** The most processes and threads that were seen. */
  pids: number;
}

export interface StartedToolbox {
  /** By which an operator finds it, where the backend has a list. */
  id?: string;
  /** To the toolbox; when this ends, so does it. */
  input: Writable;
  /** From the toolbox; read as untrusted. */
  output: Readable;
  /** The last it wrote to standard error, bounded, for messages about a failed start. */
  errorOutput(): string;
  /** Lets it end by itself for that long, then ends it by force; leaves no process and no folder behind. */
  stop(options: { graceMs: number }): Promise<void>;
  /** What it has used so far, or in all once it was stopped; undefined while that is not known. */
  usage?(): Promise<ToolboxUsage | undefined>;
  /** Notes for the list which operation it is for, where that was not known at its start. */
  assign?(operationId: string): Promise<void>;
}

export interface BackendOptions {
  /** Where the backend keeps what it needs on this machine. */
  folder: string;
  /** Where programs of this machine are found. */
  searchPath: string;
  limits?: SandboxLimits;
  /** Who starts containers; it has limits and images of its own. */
  broker?: BrokerAddress | undefined;
  /** Why there is none, where that is known. */
  brokerMissing?: string | undefined;
  /** Who asks, for the broker's lists. */
  owner?: string;
  /** Further folders of this machine that commands may read, such as a toolchain's. */
  readOnly?: readonly string[];
}

export interface StartOptions {
  /** One that is started ahead of time warms up while it waits; this long after its start. */
  warmUpAfterMs?: number;
  /** For which operation, for the broker's lists; one that is started ahead of time is told when it is taken. */
  operationId?: string;
}

/** A backend that is ready on this machine. */
export interface Backend {
  name: BackendName;
  /** What the operator has to know; undefined when it isolates. */
  warning: string | undefined;
  start(options?: StartOptions): Promise<Sandbox>;
  /** Takes away what sandboxes of workers left that are gone; gives their names. */
  clearLeftovers(): Promise<string[]>;
}

export type BackendName = 'docker' | 'bubblewrap' | 'process';
