/**
 * Programs that agents often try and that may not run, with an alternative. Programs that are not listed are denied
 * as well: this list only improves the advice.
 */
import type { Refused } from './rule.ts';

const noNetwork: Refused = {
  reason: 'there is no network in the sandbox',
  instead: 'work with what is in the repository; install_dependencies brings packages',
};
const shell: Refused = {
  reason: 'what a second shell runs cannot be judged',
  instead:
    'write the commands themselves in the line, joined with && or |; a script of the repository runs through npm run, make, node or python, or the tools test, build and lint',
};
const wrapper: Refused = {
  reason: 'it would hide which program runs',
  instead: 'write the command itself; NAME=value may stand in front of it',
};
const installs: Refused = {
  reason: 'packages are installed only with install_dependencies, which checks them',
  instead: 'use install_dependencies',
};
const rights: Refused = { reason: 'nothing here needs more rights', instead: 'run the command itself' };
const ownLanguage: Refused = {
  reason: 'a program of its own in the line cannot be judged',
  instead: 'use grep, sed, cut, sort or jq, or a script file run with node or python',
};
const processes: Refused = {
  reason: 'nothing of yours is left running between calls',
  instead: 'leave it out; each call ends what it started',
};
const shellState: Refused = {
  reason: 'nothing of the shell is kept from one command to the next',
  instead: 'write NAME=value in front of the command that needs it',
};

/**
 * Their builds download and start arbitrary programs. The repository's own commands may do so, because the owner
 * wrote them.
 */
const otherBuilds: Refused = {
  reason: 'there is no rule for it',
  instead: 'use the tools test, build, lint and typecheck, which run the repository’s own commands, or make',
};
const rustTools: Refused = {
  reason: 'there is no rule for it',
  instead: 'use cargo fmt, cargo check or cargo build',
};
const lookups: Refused = { reason: 'only a shell has it', instead: 'use which' };

const lists: [Refused, string][] = [
  [lookups, 'command type hash'],
  [rustTools, 'rustc rustfmt clippy-driver rustup'],
  [{ reason: 'there is no rule for it', instead: 'use realpath' }, 'readlink'],
  [
    { reason: 'it would hide which program runs', instead: 'set timeoutSeconds of run_command' },
    'timeout gtimeout',
  ],
  [
    otherBuilds,
    'composer bundle java javac mvn gradle gradlew ./gradlew ./mvnw ant sbt dotnet msbuild swift xcodebuild rake rspec rails mix elixir cmake ninja bazel',
  ],
  [
    noNetwork,
    'curl wget ssh scp sftp rsync nc ncat telnet ftp ping dig nslookup host gh glab aws gcloud az kubectl docker podman',
  ],
  [shell, 'bash sh zsh dash ksh fish eval exec source .'],
  [wrapper, 'env nohup nice builtin setsid stdbuf script watch time xvfb-run'],
  [installs, 'pip pip3 pipx apt apt-get brew apk yum dnf gem conda corepack nvm fnm volta'],
  [rights, 'sudo su doas chroot unshare'],
  [ownLanguage, 'awk gawk mawk perl ruby php lua'],
  [processes, 'kill pkill killall ps top htop jobs bg fg wait trap disown lsof'],
  [
    shellState,
    'export unset set declare local readonly alias unalias shopt pushd popd dirs read let exit return',
  ],
  [
    {
      reason: 'the operands that it adds are not in the line',
      instead: 'use grep -r, rg, a glob, or name the files',
    },
    'xargs parallel',
  ],
  [
    { reason: 'archives may hold paths of any kind', instead: 'read and write the files themselves' },
    'tar unzip zip gzip gunzip bzip2 xz 7z cpio',
  ],
  [
    { reason: 'rights and owners of files are not the agent’s to change', instead: 'leave them as they are' },
    'chown chgrp setfacl chattr umask',
  ],
  [{ reason: 'links may lead out of the workspace', instead: 'use cp' }, 'ln link'],
  [
    { reason: 'there is no terminal', instead: 'use cat, head, sed -n or the file tools' },
    'vi vim nano emacs less more ed code',
  ],
  [
    { reason: 'it writes to any path that it is given', instead: 'use head -c, cp or write_file' },
    'dd truncate install shred mkfifo mknod split csplit mktemp',
  ],
  [
    {
      reason: 'it would fetch a program and run it',
      instead: 'use a tool that is installed in the repository, with npx',
    },
    'pnpx',
  ],
  [{ reason: 'only a shell has it', instead: 'use true' }, ':'],
  [{ reason: 'patches may touch any path', instead: 'use edit_file' }, 'patch'],
  [
    { reason: 'it reports on the machine, not on the repository', instead: 'leave it out' },
    'id whoami hostname uname nproc printenv uptime df free mount umount ifconfig ip netstat ss',
  ],
];

export const refusedByName: [string, Refused][] = lists.flatMap(([refused, names]) =>
  names.split(' ').map((name): [string, Refused] => [name, refused]),
);
