// A process that does all it can to be forgotten, and the eyes of this side to find it again.
import { setTimeout as delay } from 'node:timers/promises';
import { findProcesses } from '../../../infra/testing/find-processes.ts';

export interface Daemon {
  /** Starts it, for `/bin/sh -c`; returns at once. */
  command: string;
  isAlive(): boolean;
  /** False when it lives longer than that. */
  ends(withinMs: number): Promise<boolean>;
  /** Ends it by its number, where it got away. */
  end(): void;
}

/** Two forks, a session of its own, no environment, no folder, no open file. */
export function makeDaemon(): Daemon {
  const seconds = `${300 + Math.floor(Math.random() * 300)}.${Math.floor(Math.random() * 1e9)}`;
  const source =
    'use POSIX; exit if fork; setsid(); exit if fork; chdir "/"; %ENV = (); POSIX::close($_) for 0..99; ' +
    `exec "/bin/sleep", "${seconds}"`;
  const find = () => findProcesses(seconds).filter(({ command }) => command.startsWith('/bin/sleep'));
  const isAlive = () => find().length > 0;
  return {
    command: `perl -e '${source}'; sleep 0.3`,
    isAlive,
    async ends(withinMs) {
      for (const deadline = Date.now() + withinMs; isAlive() && Date.now() < deadline; ) await delay(50);
      return !isAlive();
    },
    end() {
      for (const { pid } of find()) process.kill(pid, 'SIGKILL');
    },
  };
}
