import type { BackendName } from '@fettle/sandbox';

interface Advice {
  /** Matches the reason why the backend does not work. */
  when: RegExp;
  advice: string;
}

const allowNamespaces =
  "Allow unprivileged users to create user namespaces: 'sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000'; where AppArmor restricts them, give bwrap a profile, or set kernel.apparmor_restrict_unprivileged_userns=0.";

/** The first match wins. The last entry always matches. */
const table: Record<Exclude<BackendName, 'process'>, Advice[]> = {
  docker: [
    {
      when: /EACCES|permission denied/i,
      advice:
        "Give this user access to the socket of the engine ('usermod --append --groups docker <user>', then log in again).",
    },
    {
      when: /does not have the image|does not know the users|speaks protocol/,
      advice: "Build the image with 'npm run sandbox:image', then rebuild your images that are based on it.",
    },
    {
      when: /disk of the engine is nearly full/,
      advice: "Free some space where the engine stores its data ('docker system df' shows what uses it).",
    },
    { when: /FETTLE_\w+|DOCKER_HOST/, advice: 'Correct or unset the named setting.' },
    { when: /no container engine answers/, advice: 'Start a Docker engine that this user can access.' },
    {
      when: /./s,
      advice:
        "See the log of the engine; 'docker run --rm --network none fettle-sandbox:<version>' should start.",
    },
  ],
  bubblewrap: [
    { when: /is not on the PATH/, advice: "Install bubblewrap ('apt-get install bubblewrap')." },
    {
      when: /which every sandbox can read/,
      advice: 'Set FETTLE_HOME to a folder outside the system folders.',
    },
    {
      when: /unknown option|unrecognized option/i,
      advice: 'Update bubblewrap to version 0.8 or newer.',
    },
    {
      when: /mount proc|proc subset|pivot_root/i,
      advice:
        'Fettle runs in a container that hides part of /proc. Use docker for sandboxes, or run Fettle outside the container.',
    },
    {
      when: /namespace|uid map|RTM_NEWADDR|max_user_namespaces|operation not permitted/i,
      advice: allowNamespaces,
    },
    {
      when: /\b(prlimit|setpriv|unshare)\b|not found/,
      advice: "Install util-linux ('apt-get install util-linux').",
    },
    {
      when: /did not say hello/,
      advice: 'The sandbox started but was not ready in time. Try again when this machine is less busy.',
    },
    {
      when: /EACCES|EROFS|ENOSPC/,
      advice: 'Make FETTLE_HOME writable for this user, on a disk with free space.',
    },
    { when: /./s, advice: "Run 'bwrap --unshare-all --ro-bind / / true' and read its error message." },
  ],
};

/** Returns what to do about a backend that does not work for this reason. */
export function adviseOn(backend: keyof typeof table, reason: string): string {
  return table[backend].find(({ when }) => when.test(reason))?.advice ?? '';
}
