// The kernel counts some things by user (watches of files, pending signals, pages of pipes): containers with one user
// between them could take all of these from each other. So each has a user of its own, out of numbers that neither Debian
// nor systemd gives to anybody by itself, beside those of bubblewrap's stand-ins. infra/images/sandbox.Dockerfile knows
// them all; what they share is the group that its folder belongs to.
const firstUser = 60_601;
const userCount = 400;
export const sandboxGroup = 1001;
/** What an image says on this label when it knows these users. */
export const usersLabel = {
  name: 'fettle.sandbox.users',
  value: `${firstUser}-${firstUser + userCount - 1}`,
};

/** One that none of the living has, for as long as they last. */
export function chooseUser(taken: readonly number[], start = Math.floor(Math.random() * userCount)): number {
  const all = Array.from({ length: userCount }, (_, index) => firstUser + ((start + index) % userCount));
  return all.find((user) => !taken.includes(user)) ?? (all[0] as number);
}
