/** Which commands ran that a person has to be shown. Kept from the record, so that a later attempt knows them, too. */
import type { EventBody } from '@fettle/contract';
import type { Remark } from './remarks.ts';

const maxRemarks = 100;

export function createRemarkBook() {
  const remarks = new Map<string, Remark>();
  return {
    note(events: EventBody[]): void {
      for (const event of events) {
        if (event.type !== 'part.finished' || event.part.kind !== 'tool') continue;
        for (const { rule, token, reason } of event.part.remarks ?? [])
          if (remarks.size < maxRemarks) remarks.set(rule, { path: token, rule, reason, tokens: [] });
      }
    },
    list: (): Remark[] => [...remarks.values()],
  };
}
