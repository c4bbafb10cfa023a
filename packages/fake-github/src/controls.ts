/** What tests and the demo do with the fake besides calling it. */
import { acceptManifest, type Manifest } from './app/manifests.ts';
import { createPersonalToken } from './app/tokens.ts';
import {
  acceptPermissions,
  changeInstalledRepositories,
  deleteInstallation,
  setSuspended,
} from './changes/installations.ts';
import type { Fault, Faults } from './http/faults.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { GitUse, LoggedRequest } from './http/request-log.ts';
import { createPerson, type Person } from './people.ts';
import { requireAccount, requireRepository } from './state/find.ts';
import type { Installation, Permissions, Repository, Token } from './state/model.ts';
import type { World } from './state/world.ts';
import type { Deliveries, Delivery } from './webhooks/deliveries.ts';

export interface Controls {
  /** A person who acts as a user of GitHub. */
  as(login: string): Person;
  repository(name: string): Repository;
  installations(): Installation[];
  /** The owner of the installation does these. */
  suspend(installation: Installation): void;
  unsuspend(installation: Installation): void;
  uninstall(installation: Installation): void;
  changePermissions(installation: Installation, permissions: Permissions): void;
  addRepositories(installation: Installation, names: string[]): void;
  removeRepositories(installation: Installation, names: string[]): void;
  /** Confirms the manifest form. Returns the code for `POST /app-manifests/{code}/conversions`. */
  acceptManifest(manifest: Manifest, owner: string): Promise<string>;
  /** A personal token: classic with scopes, or fine-grained with permissions. Returns its text. */
  createToken(
    login: string,
    grant: { scopes: string[] } | { permissions: Permissions; repositories: string[] },
  ): string;
  /** All tokens that were ever created, without their texts. */
  tokens(): Omit<Token, 'digest'>[];
  expireToken(id: number): void;
  revokeToken(id: number): void;
  advanceClock(ms: number): void;
  /** The next `times` requests that match get this fault. */
  plan(pattern: string | RegExp, fault: Fault, times?: number): void;
  clearFaults(): void;
  setRateLimit(remaining: number, resetInSeconds: number): void;
  requests(): LoggedRequest[];
  gitUses(): GitUse[];
  deliveries: Deliveries;
  /** All delivery attempts of all Apps, newest first. */
  listDeliveries(): Delivery[];
}

export interface ControlParts {
  world: World;
  deliveries: Deliveries;
  rateLimits: RateLimits;
  faults: Faults;
  requests: LoggedRequest[];
  gitUses: GitUse[];
}

export function createControls(parts: ControlParts): Controls {
  const { world, deliveries, rateLimits, faults, requests, gitUses } = parts;
  const requireToken = (id: number): Token => {
    const token = [...world.tokens.values()].find((each) => each.id === id);
    if (!token) throw new Error(`there is no token ${id}`);
    return token;
  };
  return {
    as: (login) => createPerson(world, requireAccount(world, login)),
    repository: (name) => requireRepository(world, name),
    installations: () => [...world.installations],
    suspend: (each) => setSuspended(world, each, each.account, each.account),
    unsuspend: (each) => setSuspended(world, each, undefined, each.account),
    uninstall: (each) => deleteInstallation(world, each, each.account),
    changePermissions: (each, permissions) => acceptPermissions(world, each, permissions, each.account),
    addRepositories: (each, names) =>
      changeInstalledRepositories(world, each, {
        added: names.map((name) => requireRepository(world, name)),
        sender: each.account,
      }),
    removeRepositories: (each, names) =>
      changeInstalledRepositories(world, each, {
        removed: names.map((name) => requireRepository(world, name)),
        sender: each.account,
      }),
    acceptManifest: (manifest, owner) => acceptManifest(world, manifest, requireAccount(world, owner)),
    createToken(login, grant) {
      const account = requireAccount(world, login);
      const options =
        'scopes' in grant
          ? grant
          : {
              permissions: grant.permissions,
              repositories: grant.repositories.map((name) => requireRepository(world, name)),
            };
      return createPersonalToken(world, account, options, undefined).text;
    },
    tokens: () => [...world.tokens.values()].map(({ digest: _, ...token }) => token),
    expireToken(id) {
      requireToken(id).expiresAt = world.nowMs();
    },
    revokeToken(id) {
      requireToken(id).isRevoked = true;
    },
    advanceClock: (ms) => world.advanceClock(ms),
    plan: (pattern, fault, times) => faults.plan(pattern, fault, times),
    clearFaults: () => faults.clear(),
    setRateLimit: (remaining, seconds) => rateLimits.set(remaining, seconds),
    requests: () => [...requests],
    gitUses: () => [...gitUses],
    deliveries,
    listDeliveries: () => world.apps.flatMap((app) => deliveries.list(app)),
  };
}
