/** YAML that somebody wrote by hand, held against a schema. JSON is YAML, too. */
import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { describeIssue } from '../errors.ts';

export type YamlReading<Value> = { ok: true; value: Value } | { ok: false; message: string };

export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): YamlReading<z.infer<Schema>> {
  const lines = new LineCounter();
  // Its own check for keys that are there twice compares each with each.
  const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines });
  const fault = document.errors[0]?.message ?? findDoubleKey(document);
  if (fault !== undefined) return { ok: false, message: fault };
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    return { ok: false, message: String(error) };
  }
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return { ok: true, value: parsed.data };
  const { field, message } = describeIssue(parsed.error);
  const where = findLine(document, lines, parsed.error.issues[0]?.path ?? []);
  return { ok: false, message: `${field ? `${field}: ` : ''}${message}${where}` };
}

/** Of what is named, or of the nearest that is there. */
function findLine(document: Document, lines: LineCounter, path: PropertyKey[]): string {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return ` (line ${lines.linePos(node.range[0]).line})`;
  }
  return '';
}

function findDoubleKey(document: Document): string | undefined {
  let message: string | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) message = `${String(name).slice(0, 100)} is there twice`;
        seen.add(name);
      }
      return message === undefined ? undefined : visit.BREAK;
    },
  });
  return message;
}
