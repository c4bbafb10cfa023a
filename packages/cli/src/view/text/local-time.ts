/** Times for people, in the time zone of the terminal (TZ). With --json, times stay as they are: ISO and UTC. */

/** 2026-11-18 21:04:09 */
export function showSecond(at: string): string {
  // The Swedish locale writes dates the ISO way.
  return new Date(at).toLocaleString('sv-SE');
}

/** 2026-11-18 21:04 */
export function showMinute(at: string): string {
  return showSecond(at).slice(0, 16);
}

/** 2026-11-18 */
export function showDay(at: string): string {
  return showSecond(at).slice(0, 10);
}

/** 21:04:09 */
export function showClock(at: string): string {
  return showSecond(at).slice(11);
}

/** The zone at that time, which summer time changes: CET, GMT+5:30, UTC. */
export function showZone(at: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(new Date(at));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
