type Redact = (text: string) => string;

/** A line of JSON without secrets; it stays a line of JSON. Most lines have none, and are not taken apart. */
export function redactLine(line: string, redact: Redact): string {
  if (redact(line) === line) return line;
  try {
    const redacted = JSON.stringify(redactValue(JSON.parse(line), redact));
    // A name and a value may be a secret only together.
    if (redact(redacted) === redacted) return `${redacted}\n`;
  } catch {
    // No JSON: then it is a text.
  }
  return `${JSON.stringify({ msg: redact(line).trimEnd() })}\n`;
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactValue(each, redact)]));
}
