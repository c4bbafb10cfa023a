import type { BackendName } from '@fettle/sandbox';

interface Advice {
  /** Of the reason why it does not work. */
  when: RegExp;
  advice: string;
}

const ALLOW_NAMESPACES =
  "Let ordinary users make user namespaces: 'sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000'; where AppArmor restricts them, give bwrap a profile, or set kernel.apparmor_restrict_unprivileged_userns=0.";

/** The first that fits counts; the last one always does. */
const table: Record<Exclude<BackendName, 'process'>, Advice[]> = {
  docker: [
    {
      when: /EACCES|permission denied/i,
      advice:
        "Let this user use the engine's socket ('usermod --append --groups docker <user>', then log in again).",
    },
    {
      when: /does not have the image|does not know the users|speaks protocol/,
      advice: "Build the image with 'npm run sandbox:image', and anew what you have built on it.",
    },
    {
      when: /disk of the engine is nearly full/,
      advice: "Make room where the engine keeps its data ('docker system df' says for what it is used).",
    },
    { when: /FETTLE_\w+|DOCKER_HOST/, advice: 'Correct or unset the setting that is named there.' },
    { when: /no container engine answers/, advice: 'Start a Docker engine that this user may use.' },
    {
      when: /./s,
      advice:
        "Look at the engine's own log; 'docker run --rm --network none fettle-sandbox:<version>' should start.",
    },
  ],
  bubblewrap: [
    { when: /is not on the PATH/, advice: "Install bubblewrap ('apt-get install bubblewrap')." },
    { when: /home must be elsewhere/, advice: 'Set FETTLE_HOME to a folder outside of the system’s own.' },
    {
      when: /unknown option|unrecognized option/i,
      advice: 'Update bubblewrap: version 0.8 or newer is needed.',
    },
    {
      when: /mount proc|proc subset|pivot_root/i,
      advice:
        'This is inside a container that keeps part of /proc from it: use docker for sandboxes, or start Fettle outside of the container.',
    },
    {
      when: /namespace|uid map|RTM_NEWADDR|max_user_namespaces|operation not permitted/i,
      advice: ALLOW_NAMESPACES,
    },
    {
      when: /\b(prlimit|setpriv|unshare)\b|not found/,
      advice: "Install the system's own small programs ('apt-get install util-linux').",
    },
    {
      when: /did not say hello/,
      advice: 'It started and was not ready in time: try again when this machine has less to do.',
    },
    { when: /EACCES|EROFS|ENOSPC/, advice: 'Let this user write to FETTLE_HOME, on a disk with room.' },
    { when: /./s, advice: "Try 'bwrap --unshare-all --ro-bind / / true' by hand; its words say more." },
  ],
};

/** What to do about a backend that does not work for this reason. */
export function adviseOn(backend: keyof typeof table, reason: string): string {
  return table[backend].find(({ when }) => when.test(reason))?.advice ?? '';
}
