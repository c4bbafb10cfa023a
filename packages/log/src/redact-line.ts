type Redact = (text: string) => string;

/** Removes secrets from a JSON line, which stays valid JSON. Lines without secrets, which are most, are not parsed. */
export function redactLine(line: string, redact: Redact): string {
  if (redact(line) === line) return line;
  try {
    const redacted = JSON.stringify(redactValue(JSON.parse(line), redact));
    // A name and a value may be a secret only in combination.
    if (redact(redacted) === redacted) return `${redacted}\n`;
  } catch {
    // Not JSON: redact the line as text.
  }
  return `${JSON.stringify({ msg: redact(line).trimEnd() })}\n`;
}

function redactValue(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactValue(each, redact)]));
}
