/** How the routes of the REST API are declared. */
import type { z } from 'zod';
import type { Place } from '../changes/place.ts';
import type { Actor, Permissions, Role } from '../state/model.ts';
import type { World } from '../state/world.ts';
import type { Caller } from './authenticate.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

interface RouteBase<Schema extends z.ZodType> {
  method: Method;
  /** As in GitHub's OpenAPI document: `/repos/{owner}/{repo}/issues/{issue_number}`. */
  path: string;
  body?: Schema;
}

export interface Call<Body = unknown> {
  world: World;
  caller: Caller;
  params: Record<string, string>;
  query: Record<string, string>;
  body: Body;
  /** The address of the request without its query, for links. */
  url: string;
}

export interface RepositoryCall<Body = unknown> extends Call<Body> {
  place: Place;
}

export interface Endpoint {
  method: Method;
  path: string;
  body: z.ZodType | undefined;
  /** Who may call. */
  auth: 'app' | 'token' | 'none';
  /** For routes of one repository. */
  access: Access | undefined;
  run(call: RepositoryCall<never>): Answer | Promise<Answer>;
}

export interface Access {
  /** Alternatives: one of them is sufficient. */
  needs: Permissions[];
  /** The role that the owner of a personal token needs. */
  role: Role;
}

/** A route that does not belong to one repository. */
export function route<Schema extends z.ZodType>(
  options: RouteBase<Schema> & {
    auth: Endpoint['auth'];
    run(call: Call<z.infer<Schema>>): Answer | Promise<Answer>;
  },
): Endpoint {
  const { method, path, body, auth, run } = options;
  return { method, path, body, auth, access: undefined, run };
}

/** A route below `/repos/{owner}/{repo}`. */
export function repositoryRoute<Schema extends z.ZodType>(
  options: RouteBase<Schema> & {
    needs: Permissions | Permissions[];
    role?: Role;
    run(call: RepositoryCall<z.infer<Schema>>): Answer | Promise<Answer>;
  },
): Endpoint {
  const { method, body, run } = options;
  const needs = [options.needs].flat();
  const writes = needs.some((each) => Object.values(each).some((level) => level !== 'read'));
  const role = options.role ?? (writes ? 'write' : 'read');
  return {
    method,
    path: `/repos/{owner}/{repo}${options.path}`,
    body,
    auth: 'token',
    access: { needs, role },
    run,
  };
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function created(body: unknown): Answer {
  return { status: 201, body };
}

export const noContent: Answer = { status: 204 };

export function actorOf(caller: Caller): Actor | undefined {
  if (caller.kind !== 'token') return undefined;
  return { account: caller.token.account, app: caller.token.installation?.app };
}
