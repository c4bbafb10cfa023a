/** Checks answers and webhooks against GitHub's published schemas. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Exchange } from '../../http/serve-endpoints.ts';
import type { CutSchemas } from '../cut-schemas.ts';

export interface Validator {
  onAnswer(exchange: Exchange): void;
  onWebhook(event: string, payload: unknown): void;
  /** One text for each violation. Several services swallow exceptions, so a test has to look here. */
  problems: string[];
  /** What was compared with a schema: `GET /app 200`, `issues labeled`. */
  validated: Set<string>;
  /** What has no schema in GitHub's document. */
  unknown: Set<string>;
}

const file = new URL('../published/github-schemas.json', import.meta.url);
const { answers, webhooks, definitions }: CutSchemas = JSON.parse(readFileSync(file, 'utf8'));

// GitHub's document uses formats that Ajv does not know. Compiled schemas are kept for all tests of a process.
const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true, logger: false });
addFormats.default(ajv);
// Bots have addresses like 1+fettle[bot]@users.noreply.github.com, which GitHub's own format forbids.
ajv.addFormat('email', true);
ajv.addSchema({ $id: 'github', definitions });
const compiled = new Map<string, ValidateFunction>();

export function createValidator(): Validator {
  const problems: string[] = [];
  const validated = new Set<string>();
  const unknown = new Set<string>();

  const check = (name: string, schema: unknown, value: unknown) => {
    const validate = compiled.get(name) ?? ajv.compile(withAddress(schema) as object);
    compiled.set(name, validate);
    validated.add(name);
    if (validate(value)) return;
    for (const { instancePath, message, params } of validate.errors?.slice(0, 5) ?? [])
      problems.push(`${name}: ${instancePath} ${message} ${JSON.stringify(params)}`);
  };

  return {
    problems,
    validated,
    unknown,
    onAnswer({ method, path, status, body }) {
      const name = `${method} ${path} ${status}`;
      const schema = answers[`${method} ${path}`]?.[status];
      if (schema === undefined) unknown.add(name);
      else if (schema === null) validated.add(name);
      // The payload is JSON by the time a client sees it.
      else check(name, schema, JSON.parse(JSON.stringify(body ?? null)));
    },
    onWebhook(event, payload) {
      const { action } = payload as { action?: string };
      const name = action === undefined ? event : `${event} ${action}`;
      const schema = webhooks[name];
      if (schema === undefined) unknown.add(name);
      else check(name, schema, JSON.parse(JSON.stringify(payload)));
    },
  };
}

/** Definitions live in one document of their own. */
function withAddress(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"github#/definitions/'));
}
