/** Problems that javac and kotlinc report, as Maven and Gradle print them. */
import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const forms = [
  /^\[ERROR\] (\S[^:]*\.(?:java|kt|scala)):\[(\d+),(\d+)\] (.*)$/,
  /^(\S[^:]*\.(?:java|scala)):(\d+):() error: (.*)$/,
  /^e: (?:file:\/\/)?(\S[^:]*\.kts?):(\d+):(\d+):? (.*)$/,
];

export const jvmCompilers: Parser = {
  tool: 'javac',
  finds: 'problems',
  read({ lines }) {
    /** By text, because Maven repeats the errors at the end. */
    const failures = new Map<string, CheckFailure>();
    for (const line of lines) {
      for (const form of forms) {
        const [, file, row, column, message = ''] = form.exec(line) ?? [];
        if (file === undefined) continue;
        failures.set(`${file}:${row} ${message}`, {
          ...{ file, line: Number(row), ...(column && { column: Number(column) }), message },
        });
      }
    }
    return failures.size === 0 ? undefined : { failed: failures.size, failures: [...failures.values()] };
  },
};
