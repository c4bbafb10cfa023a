export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
