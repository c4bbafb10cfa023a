/** The part of GitHub's OpenAPI document that describes what the fake answers and sends, as JSON Schema for Ajv. */
import { listEndpoints } from '../rest/list-endpoints.ts';

type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json;
}

export interface CutSchemas {
  /** `GET /app` → `200` → schema. `null` for an answer without a body. */
  answers: Record<string, Record<string, Json>>;
  /** `issues labeled` → schema. */
  webhooks: Record<string, Json>;
  definitions: Record<string, Json>;
}

/** The events that the fake sends, with their actions. */
const actions: Record<string, string> = {
  'check-run': 'created completed rerequested requested-action',
  'check-suite': 'requested rerequested completed',
  installation: 'created deleted suspend unsuspend new-permissions-accepted',
  'installation-repositories': 'added removed',
  'issue-comment': 'created edited deleted',
  issues: 'opened edited closed reopened labeled unlabeled assigned unassigned',
  'pull-request':
    'opened edited closed reopened labeled unlabeled assigned unassigned synchronize converted-to-draft ready-for-review review-requested',
  'pull-request-review': 'submitted dismissed',
  'pull-request-review-comment': 'created edited deleted',
  'pull-request-review-thread': 'resolved unresolved',
  push: '',
  repository: 'renamed transferred',
  status: '',
};

// biome-ignore lint/suspicious/noExplicitAny: the document is GitHub's, and its shape is known only here.
export function cutSchemas(document: any): CutSchemas {
  const definitions: Record<string, Json> = {};
  const cut = (schema: Json): Json => collect(translate(schema), document.components.schemas, definitions);
  const answers: CutSchemas['answers'] = {};
  for (const { method, path } of listAllEndpoints()) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    const corrected = corrections[`${method} ${path}`];
    if (corrected) {
      answers[`${method} ${path}`] = { 200: cut(corrected) };
      continue;
    }
    if (!operation) throw new Error(`GitHub's document has no ${method} ${path}`);
    answers[`${method} ${path}`] = Object.fromEntries(
      Object.entries<JsonObject>(operation.responses).map(([status, response]) => {
        const name =
          String(response.$ref ?? '')
            .split('/')
            .at(-1) ?? '';
        const { content } = document.components.responses[name] ?? response;
        return [status, content?.['application/json'] ? cut(content['application/json'].schema) : null];
      }),
    );
  }
  const webhooks: Record<string, Json> = {};
  for (const [event, list] of Object.entries(actions)) {
    for (const action of list.split(' ')) {
      const key = action === '' ? event : `${event}-${action}`;
      const webhook = document['x-webhooks'][key];
      if (!webhook) throw new Error(`GitHub's document has no webhook ${key}`);
      const name = `${event} ${action}`.trim().replaceAll('-', '_');
      webhooks[name] = cut(webhook.post.requestBody.content['application/json'].schema);
    }
  }
  return shareRepeated({ answers, webhooks, definitions });
}

/** GitHub's list demands accounts that are a user and an enterprise at once. Its schema of one installation is right. */
const corrections: Record<string, Json> = {
  'GET /app/installations': { type: 'array', items: { $ref: '#/components/schemas/installation' } },
};

/** The list of endpoints does not use its parts until it is called. */
function listAllEndpoints() {
  const unused = {} as never;
  return listEndpoints({
    deliveries: unused,
    rateLimits: unused,
    tokenLifetimeMs: () => 0,
    jobLogs: new Map(),
  });
}

const dropped = new Set([
  'description',
  'example',
  'examples',
  'title',
  'externalDocs',
  'deprecated',
  'readOnly',
  'discriminator',
  'default',
]);

/** OpenAPI 3.0 to JSON Schema: `nullable` becomes a type, so that Ajv accepts null in enums and references too. */
function translate(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(translate);
  if (schema === null || typeof schema !== 'object') return schema;
  const { nullable, ...rest } = schema;
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(rest)) {
    if (key === 'properties' || key === 'patternProperties') result[key] = translateEach(value as JsonObject);
    else if (key === 'enum' || key === 'required') result[key] = value;
    else if (!dropped.has(key) && !key.startsWith('x-')) result[key] = translate(value);
  }
  if (nullable !== true) return result;
  if (typeof result.type !== 'string') return { anyOf: [{ type: 'null' }, result] };
  const withNull = { ...result, type: [result.type, 'null'] };
  return Array.isArray(result.enum) ? { ...withNull, enum: [...new Set([...result.enum, null])] } : withNull;
}

function translateEach(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, translate(each)]));
}

/** Copies what is referred to. */
function collect(schema: Json, all: JsonObject, definitions: Record<string, Json>): Json {
  if (Array.isArray(schema)) return schema.map((each) => collect(each, all, definitions));
  if (schema === null || typeof schema !== 'object') return schema;
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    if (!(name in definitions)) {
      definitions[name] = null;
      definitions[name] = collect(translate(all[name] ?? null), all, definitions);
    }
    return { $ref: `#/definitions/${name}` };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, collect(value, all, definitions)]),
  );
}

const minSharedLength = 200;

/** Webhooks repeat the same inline schemas many times. Each repeated one becomes a definition of its own. */
function shareRepeated(schemas: CutSchemas): CutSchemas {
  const counts = new Map<string, number>();
  const count = (value: Json): void => {
    if (value === null || typeof value !== 'object') return;
    if (isSchema(value)) {
      const text = JSON.stringify(value);
      const before = counts.get(text) ?? 0;
      counts.set(text, before + 1);
      if (before > 0) return;
    }
    for (const each of Object.values(value)) count(each);
  };
  count(schemas as unknown as Json);
  const names = new Map<string, string>();
  const definitions: Record<string, Json> = {};
  const share = (value: Json, isNamed = false): Json => {
    if (value === null || typeof value !== 'object') return value;
    const text = JSON.stringify(value);
    const isShared =
      !isNamed && isSchema(value) && text.length >= minSharedLength && (counts.get(text) ?? 0) > 1;
    const known = names.get(text);
    if (isShared && known !== undefined) return { $ref: `#/definitions/${known}` };
    const name = `shared-${names.size + 1}`;
    if (isShared) names.set(text, name);
    const copy = Array.isArray(value)
      ? value.map((each) => share(each))
      : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, share(each)]));
    if (!isShared) return copy;
    definitions[name] = copy;
    return { $ref: `#/definitions/${name}` };
  };
  for (const [name, schema] of Object.entries(schemas.definitions)) definitions[name] = share(schema, true);
  return {
    answers: share(schemas.answers as Json) as CutSchemas['answers'],
    webhooks: share(schemas.webhooks) as CutSchemas['webhooks'],
    definitions,
  };
}

/** Not a map of property names, whose values may look like schemas. */
function isSchema(value: Json): value is JsonObject {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { type, anyOf, oneOf, allOf } = value;
  return typeof type === 'string' || [type, anyOf, oneOf, allOf].some((each) => Array.isArray(each));
}
