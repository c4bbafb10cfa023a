/** Parses hand-written YAML and validates it with a schema. JSON is YAML, too. */
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { describeIssue } from '../errors.ts';

/** `written` is the value as it is in the file, before the schema: it keeps the order of keys. */
export type YamlReading<Value> =
  | { ok: true; value: Value; written: unknown }
  | { ok: false; message: string };

export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): YamlReading<z.infer<Schema>> {
  const lines = new LineCounter();
  // The library's check for duplicate keys takes quadratic time.
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines });
  const problem = document.errors[0]?.message ?? findDuplicateKey(document);
  if (problem !== undefined) return { ok: false, message: problem };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    return { ok: false, message: String(error) };
  }
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return { ok: true, value: parsed.data, written: value };
  const { field, message } = describeIssue(parsed.error);
  const [issue] = parsed.error.issues;
  const where = findKeyLine(document, lines, issue) ?? findLine(document, lines, issue?.path ?? []);
  return { ok: false, message: `${field ? `${field}: ` : ''}${message}${where}` };
}

/** The line of a key that the schema does not know. */
function findKeyLine(
  document: Document,
  lines: LineCounter,
  issue: z.core.$ZodIssue | undefined,
): string | undefined {
  if (issue?.code !== 'unrecognized_keys') return undefined;
  const parent = issue.path.length === 0 ? document.contents : document.getIn(issue.path, true);
  const [name] = issue.keys;
  if (!isMap(parent)) return undefined;
  const key = parent.items
    .map((item) => item.key)
    .find((each) => isScalar(each) && String(each.value) === name);
  return isNode(key) && key.range ? ` (line ${lines.linePos(key.range[0]).line})` : undefined;
}

/** The line of the node at the path, or of its nearest existing parent. */
function findLine(document: Document, lines: LineCounter, path: PropertyKey[]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return ` (line ${lines.linePos(node.range[0]).line})`;
  }
  return '';
}

function findDuplicateKey(document: Document): string | undefined {
  let message: string | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) message = `${String(name).slice(0, 100)} is a duplicate key`;
        seen.add(name);
      }
      return message === undefined ? undefined : visit.BREAK;
    },
  });
  return message;
}
