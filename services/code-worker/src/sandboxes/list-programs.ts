/** Which programs the commands in a sandbox find, for the first message to the model. */
import type { Sandbox } from '@fettle/sandbox';
import type { PreparedTool } from '@fettle/toolchain';

const names = 'python3 go cargo java mvn gradle ruby php make cmake gcc git'.split(' ');
const script = `for each in ${names.join(' ')}; do
  command -v "$each" >/dev/null || continue
  case $each in go) ask=version ;; java) ask=-version ;; *) ask=--version ;; esac
  said=$("$each" $ask 2>&1) || continue
  echo "$each: $(echo "$said" | head -n 1)"
done`;
const limits = { timeoutMs: 30_000, maxOutputBytes: 10_000 };
const maxLine = 100;

export type ListPrograms = (
  sandbox: Sandbox,
  tools: PreparedTool[],
  signal: AbortSignal,
) => Promise<string[]>;

/** Asks once for each backend: all sandboxes of a worker have the same programs, apart from the repository's own tools. */
export function createProgramList(): ListPrograms {
  const known = new Map<string, string[]>();
  return async (sandbox, tools, signal) => {
    const lines = known.get(sandbox.backend) ?? (await ask(sandbox, signal));
    known.set(sandbox.backend, lines);
    return [...tools.map(({ tool, version, source }) => `${tool}: ${version} (${source})`), ...lines];
  };
}

async function ask(sandbox: Sandbox, signal: AbortSignal): Promise<string[]> {
  const { output } = await sandbox.run({ command: script, ...limits, signal });
  signal.throwIfAborted();
  return output
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(`${name}: `)))
    .map((line) => line.slice(0, maxLine));
}
