/** What a backend implements: it starts a toolbox and returns its stream. */
import type { Readable, Writable } from 'node:stream';
import type { Sandbox } from '../host/sandbox.ts';
import type { BrokerAddress } from './broker-client.ts';
import type { SandboxLimits } from './limits.ts';

/** The resources that a sandbox has used, as far as its backend can measure them. */
export interface ToolboxUsage {
  cpuMs: number;
  memoryPeakBytes: number;
  /** Bytes read and written, where the kernel counts them. */
  ioBytes?: number | undefined;
  /** The highest number of processes and threads at once. */
  pids: number;
}

/** Why a toolbox's stream ended: by itself or by a limit, or because nobody passes it on any more. */
export type ToolboxEnd = 'toolbox_ended' | 'broker_away';

export interface StartedToolbox {
  /** The id in the broker's list, where the backend has one. */
  id?: string;
  /** The toolbox exits when this stream ends. */
  input: Writable;
  /** Untrusted. */
  output: Readable;
  /** The toolbox's standard error, truncated, for error messages. */
  errorOutput(): string;
  /** Called after the end of a stream. Never rejects. */
  findEnd?(): Promise<ToolboxEnd>;
  /** Waits up to `graceMs` for the toolbox to exit, then kills it. Leaves no process and no folder behind. */
  stop(options: { graceMs: number }): Promise<void>;
  /** Usage so far, or the total after the stop. Undefined while it is unknown. */
  usage?(): Promise<ToolboxUsage | undefined>;
  /** How many processes were killed so far because the sandbox had no memory left, if not the toolbox counts them. */
  oomKills?(): Promise<number>;
  /** Tells the broker which operation took this sandbox, where that was unknown at its start. */
  assign?(operationId: string): Promise<void>;
}

export interface BackendOptions {
  /** Where the backend stores its files on this machine. */
  folder: string;
  /** The PATH on which programs of this machine are found. */
  searchPath: string;
  limits?: SandboxLimits;
  /** The broker that starts containers. It has limits and images of its own. */
  broker?: BrokerAddress | undefined;
  /** Why there is no broker, if known. */
  brokerMissing?: string | undefined;
  /** The name of this worker in the broker's list. */
  owner?: string;
  /** More folders of this machine that commands may read, such as a toolchain. */
  readOnly?: readonly string[];
  /** The folder of downloaded tools, one folder each with a `bin`. Commands may read it. */
  tools?: string | undefined;
}

export interface StartOptions {
  /** How long an idle sandbox waits before it warms up. For sandboxes that are started in advance. */
  warmUpAfterMs?: number;
  /** Shown in the broker's list. A sandbox that is started in advance gets its operation later, by `assign`. */
  operationId?: string;
}

/** A backend that is ready on this machine. */
export interface Backend {
  name: BackendName;
  /** What the operator has to know. Undefined when the backend isolates. */
  warning: string | undefined;
  start(options?: StartOptions): Promise<Sandbox>;
  /** Why no sandbox can be started now, where that is known without a start. */
  findProblem?(): Promise<string | undefined>;
  /** Removes the sandboxes of workers that have died. Returns their names. */
  clearLeftovers(): Promise<string[]>;
}

export type BackendName = 'docker' | 'bubblewrap' | 'process';
