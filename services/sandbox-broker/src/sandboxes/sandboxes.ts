/** The sandboxes of this broker, and how ended ones have ended. */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { FettleError, type SandboxEnd, type SandboxEndReason, type StartSandbox } from '@fettle/contract';
import type { Log } from '@fettle/log';
import { isLow, readHostDisk } from '../disk/host-disk.ts';
import { endConnection } from '../http/connections.ts';
import { endSandbox } from './end-sandbox.ts';
import { relay } from './relay.ts';
import { type BrokerSandbox, keepErrorOutput } from './sandbox.ts';
import { chooseUser, readTakenUsers } from './sandbox-users.ts';
import { type StartOptions, startContainer } from './start-container.ts';

/** After the caller has ended its side of the stream, the toolbox has this long to exit. Its own limit is 15 s. */
const graceMs = 20_000;
const rememberedEnds = 1_000;

export interface Sandboxes {
  /** Starts a sandbox, calls `accept` when it runs, and then connects its stream with the caller. */
  start(request: StartSandbox, caller: Duplex, accept: (id: string) => void): Promise<void>;
  find(id: string): BrokerSandbox | undefined;
  list(): BrokerSandbox[];
  /** Also returns how an ended sandbox has ended. Undefined for an unknown one. */
  end(id: string, reason: SandboxEndReason): Promise<SandboxEnd> | undefined;
  /** Permanent: no sandbox can be started afterwards. */
  endAll(reason: SandboxEndReason): Promise<void>;
}

export interface SandboxesOptions extends StartOptions {
  engineFolder: string;
  /** The name of the volume with tools for the next sandbox. */
  toolsVolume: () => string;
  log: Log;
  /** Called before `accept`. */
  onStarted: (sandbox: BrokerSandbox) => void;
}

export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const { config, log } = options;
  const living = new Map<string, BrokerSandbox>();
  const ended = new Map<string, Promise<SandboxEnd>>();
  let isStopping = false;

  function open(request: StartSandbox, takenUsers: number[]): BrokerSandbox {
    if (isStopping) throw new FettleError('unavailable', 'the broker is stopping');
    if (living.size >= config.maxSandboxes) {
      const message = `all ${living.size} sandboxes are in use (FETTLE_MAX_SANDBOXES)`;
      throw new FettleError('too_many_requests', message);
    }
    const startedAt = new Date();
    const sandbox: BrokerSandbox = {
      id: randomUUID(),
      request,
      image: request.image ?? config.images[0],
      user: chooseUser([...takenUsers, ...[...living.values()].map(({ user }) => user)]),
      toolsVolume: options.toolsVolume(),
      startedAt,
      expiresAt: new Date(startedAt.getTime() + config.limits.seconds * 1000),
      container: undefined,
      starting: undefined,
      errorOutput: Buffer.alloc(0),
      usage: undefined,
      recentCpuMs: 0,
      reason: undefined,
      ending: undefined,
    };
    living.set(sandbox.id, sandbox);
    return sandbox;
  }

  function close(sandbox: BrokerSandbox, reason: SandboxEndReason): Promise<SandboxEnd> {
    if (sandbox.ending !== undefined) return sandbox.ending;
    sandbox.reason = reason;
    sandbox.ending = endSandbox(sandbox).finally(() => living.delete(sandbox.id));
    sandbox.ending.then(noteEnd, noteFailure);
    ended.set(sandbox.id, sandbox.ending);
    for (const oldest of ended.keys()) {
      if (ended.size <= rememberedEnds) break;
      ended.delete(oldest);
    }
    return sandbox.ending;

    function noteEnd({ usage, outOfMemory }: SandboxEnd): void {
      const { id, request } = sandbox;
      log.info({ sandbox: id, ...request, reason, outOfMemory, usage }, 'sandbox ended');
    }
    function noteFailure(error: unknown): void {
      log.warn(
        { err: error, sandbox: sandbox.id },
        'a sandbox could not be removed; the removal will be retried',
      );
    }
  }

  async function run(sandbox: BrokerSandbox, caller: Duplex, attached: Duplex): Promise<void> {
    let grace: NodeJS.Timeout | undefined;
    const life = setTimeout(() => void close(sandbox, 'expired'), config.limits.seconds * 1000);
    caller.once('close', () => void close(sandbox, 'abandoned'));
    await relay({
      caller,
      attached,
      onErrorOutput: (bytes) => keepErrorOutput(sandbox, bytes),
      onCallerEnd: () => {
        grace = setTimeout(() => void close(sandbox, 'abandoned'), graceMs);
      },
    });
    clearTimeout(life);
    clearTimeout(grace);
    // The caller sees the end only after the removal, so that it can then ask for the reason.
    await close(sandbox, 'exited').catch(() => {});
    endConnection(caller, graceMs);
  }

  return {
    async start(request, caller, accept) {
      if (isLow(await readHostDisk(options.engineFolder))) {
        throw new FettleError('unavailable', 'the disk of the engine is nearly full');
      }
      const sandbox = open(request, await readTakenUsers(options.engine));
      const starting = startContainer(sandbox, options);
      sandbox.starting = starting;
      let attached: Duplex;
      try {
        attached = await starting;
      } catch (error) {
        await close(sandbox, 'start_failed').catch(() => {});
        throw error;
      }
      if (caller.destroyed) {
        attached.destroy();
        await close(sandbox, 'abandoned').catch(() => {});
        return;
      }
      options.onStarted(sandbox);
      accept(sandbox.id);
      await run(sandbox, caller, attached);
    },
    find: (id) => living.get(id),
    list: () => [...living.values()],
    end(id, reason) {
      const sandbox = living.get(id);
      return sandbox === undefined ? ended.get(id) : close(sandbox, reason);
    },
    async endAll(reason) {
      isStopping = true;
      await Promise.allSettled([...living.values()].map((sandbox) => close(sandbox, reason)));
    },
  };
}
