import type { CheckFailure } from '@fettle/contract';
import type { Parser } from '../../parser.ts';

const total = /^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})$/;
const none = /^No tests were found!!!$/;
const listed = /^\t *\d+ - (\S.*) \(([^()]+)\)$/;

export const ctest: Parser = {
  tool: 'ctest',
  finds: 'tests',
  read({ lines }) {
    const totals = lines.flatMap((line) => {
      const [, failed, all] = total.exec(line) ?? [];
      return failed === undefined ? [] : [{ failed: Number(failed), all: Number(all) }];
    });
    if (totals.length === 0 && !lines.some((line) => none.test(line))) return undefined;
    const failures: CheckFailure[] = [];
    let skipped = 0;
    for (const line of lines) {
      const [, name, reason = ''] = listed.exec(line) ?? [];
      if (name === undefined) continue;
      if (/^(?:Skipped|Disabled)$/.test(reason)) skipped += 1;
      else failures.push({ name, message: reason });
    }
    const failed = totals.reduce((sum, each) => sum + each.failed, 0);
    const all = totals.reduce((sum, each) => sum + each.all, 0);
    return { passed: Math.max(0, all - failed - skipped), failed, skipped, failures };
  },
};
