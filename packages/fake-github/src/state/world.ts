/** The state of one fake GitHub, and the means to read the time and to draw ids. */
import { createHash } from 'node:crypto';
import type { Account, App, Installation, Repository, Token } from './model.ts';

export interface World {
  /** Of the web pages and of git: `http://127.0.0.1:1234`. */
  url: string;
  /** Of REST, as on GitHub Enterprise Server: `http://127.0.0.1:1234/api/v3`. */
  apiUrl: string;
  /** Holds the bare repositories. */
  folder: string;
  accounts: Map<string, Account>;
  apps: App[];
  installations: Installation[];
  repositories: Repository[];
  /** `owner/name` in lower case → id of the repository that had this name before a rename or a transfer. */
  formerNames: Map<string, number>;
  tokens: Map<string, Token>;
  manifests: Map<string, { app: App; pem: string; clientSecret: string; createdAt: number }>;
  emit(event: GithubEvent): void;
  nextId(): number;
  /** Milliseconds. Tests move this clock forward to let tokens expire. */
  nowMs(): number;
  /** As GitHub writes it: without milliseconds. */
  now(): string;
  advanceClock(ms: number): void;
}

/** An event as GitHub would send it. `payload` contains what is specific to the event. */
export interface GithubEvent {
  name: string;
  action?: string;
  sender: Account;
  repository?: Repository;
  /** Delivered to this App only, for example `check_suite requested`. */
  app?: App;
  /** Installation events carry the installation in full. */
  installation?: Installation;
  payload: Record<string, unknown>;
}

export function createWorld(folder: string): World {
  let lastId = 1_000;
  let offsetMs = 0;
  const nowMs = () => Date.now() + offsetMs;
  return {
    url: '',
    apiUrl: '',
    folder,
    accounts: new Map(),
    apps: [],
    installations: [],
    repositories: [],
    formerNames: new Map(),
    tokens: new Map(),
    manifests: new Map(),
    emit() {},
    nextId() {
      lastId += 1;
      return lastId;
    },
    nowMs,
    now: () => formatTime(nowMs()),
    advanceClock(ms) {
      offsetMs += ms;
    },
  };
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function nodeId(type: string, id: number | string): string {
  return `${type}_${Buffer.from(String(id)).toString('base64url')}`;
}
