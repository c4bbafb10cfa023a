import type { Log } from '@fettle/log';
import type { Redis } from '@fettle/queue';
import type { Registry } from '@fettle/registry';
import type { Redaction } from '@fettle/secrets';
import type { Toolchain } from '@fettle/toolchain';
import type { Config } from '../config/config.ts';
import type { Models } from '../models.ts';
import type { ListPrograms } from '../sandboxes/list-programs.ts';
import type { SandboxReserve } from '../sandboxes/sandbox-reserve.ts';
import type { GitleaksScanner } from '../secrets/gitleaks-scanner.ts';
import type { ApiClient } from './api-client.ts';
import type { Inbox } from './inbox.ts';
import type { StopSwitch } from './stop-switch.ts';

/** What all attempts of one worker process have in common. */
export interface Worker {
  config: Config;
  api: ApiClient;
  redis: Redis;
  models: Models;
  sandboxes: SandboxReserve;
  registry: Registry;
  toolchain: Toolchain;
  listPrograms: ListPrograms;
  redaction: Redaction;
  gitleaks: GitleaksScanner;
  log: Log;
  /** The running attempts by operation id, for signals (cancel, pause, message) and for shutdown. */
  running: Map<string, RunningAttempt>;
  /** Whether the worker is shutting down. */
  isStopping(): boolean;
}

/** How signals reach an attempt while it runs. */
export interface RunningAttempt {
  stopSwitch: StopSwitch;
  inbox: Inbox;
}
