// The kernel counts some things by user (watches of files, pending signals, pages of pipes): containers with one user
// between them could take all of these from each other. So each has a user of its own, out of numbers that neither Debian
// nor systemd gives to anybody by itself, beside those of bubblewrap's stand-ins. infra/images/sandbox.Dockerfile knows
// them all; what they share is the group that its folder belongs to.
const FIRST_USER = 60_601;
const USERS = 400;
export const GROUP = 1001;
/** What an image says on this label when it knows these users. */
export const usersLabel = { name: 'fettle.sandbox.users', value: `${FIRST_USER}-${FIRST_USER + USERS - 1}` };

/** One that none of the living has, for as long as they last. */
export function chooseUser(taken: readonly number[], start = Math.floor(Math.random() * USERS)): number {
  const all = Array.from({ length: USERS }, (_, index) => FIRST_USER + ((start + index) % USERS));
  return all.find((user) => !taken.includes(user)) ?? (all[0] as number);
}
