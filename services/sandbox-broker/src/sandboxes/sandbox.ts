import type { SandboxEnd, SandboxEndReason, SandboxUsage, StartSandbox } from '@fettle/contract';
import type { Container } from 'dockerode';

/** One in the broker's books, from before its container is made until after it is removed. */
export interface BrokerSandbox {
  id: string;
  request: StartSandbox;
  image: string;
  user: number;
  startedAt: Date;
  expiresAt: Date;
  container: Container | undefined;
  /** Settles when the engine is asked for nothing more; what is ended before that is removed after it. */
  starting: Promise<unknown> | undefined;
  errorOutput: Buffer;
  usage: SandboxUsage | undefined;
  /** Between the last two looks. */
  cpuMsLately: number;
  /** Whether this broker can see what it hides on the disk; undefined until that was tried. */
  countsHiddenFiles: boolean | undefined;
  /** The first reason to end it is the one that counts. */
  reason: SandboxEndReason | undefined;
  ending: Promise<SandboxEnd> | undefined;
}

const maxErrorBytes = 8192;

export function keepErrorOutput(sandbox: BrokerSandbox, bytes: Buffer): void {
  const joined = Buffer.concat([sandbox.errorOutput, bytes.subarray(-maxErrorBytes)]);
  sandbox.errorOutput = Buffer.from(joined.subarray(-maxErrorBytes));
}
