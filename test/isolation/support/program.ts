// Programs to be run inside, in the languages that are there: sh, perl (for raw system calls; Debian's smallest has
// it), and node as functions of this repository, handed over as their source.
import { numbersHere } from './syscall-numbers.ts';

export interface Inside {
  /** What the attempt knows about the world; nothing secret. */
  facts: Record<string, string>;
  /** A text that every planted secret contains. It is nowhere in the program's own environment. */
  needle: string;
  held(what: string): void;
  out(what: string): void;
  /** Every visible process but itself and its parents' command lines, the planted ones first. */
  pids: number[];
  fs: typeof import('node:fs');
  net: typeof import('node:net');
  dgram: typeof import('node:dgram');
  os: typeof import('node:os');
  child: typeof import('node:child_process');
}

/** It may use nothing but its argument, since only its own source goes inside. */
export type NodeProgram = (inside: Inside) => void | Promise<void>;
export type Program = { sh: string } | { perl: string } | { node: NodeProgram };

export function programArgv(program: Program): string[] {
  if ('sh' in program) return ['/bin/sh', '-c', program.sh];
  if ('perl' in program) return ['perl', '-e', `${perlPrelude()}\n${program.perl}`];
  // A method's source is no expression by itself.
  const source = String(program.node).replace(/^(async )?node\(/, '$1function (');
  return ['node', '--no-warnings', '-e', `${NODE_PRELUDE}\nmain(${source});`];
}

const NODE_PRELUDE = `
async function main(program) {
  const fs = require('node:fs');
  const facts = {};
  for (const [name, value] of Object.entries(process.env)) if (name.startsWith('ISO_')) facts[name.slice(4)] = value;
  const visible = fs.readdirSync('/proc').map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const planted = (facts.pids ?? '').split(',').map(Number).filter((pid) => visible.includes(pid));
  const say = (kind) => (what) => fs.writeSync(1, kind + ': ' + String(what).replaceAll('\\n', ' ').slice(0, 300) + '\\n');
  try {
    await program({
      facts, fs, held: say('held'), out: say('out'),
      needle: [...(facts.needle ?? '')].reverse().join(''),
      pids: [...new Set([...planted, ...visible])],
      net: require('node:net'), dgram: require('node:dgram'), os: require('node:os'),
      child: require('node:child_process'),
    });
    process.exit(0);
  } catch (error) {
    say('broken')(error.stack);
  }
}`;

/** `refused(name, arguments…)` makes a call and says whether the kernel took it up at all. */
function perlPrelude(): string {
  const numbers = Object.entries(numbersHere()).map(([name, number]) => `${name} => ${number}`);
  return `
$| = 1;
our %N = (${numbers.join(', ')});
sub held { print "held: $_[0]\\n" }
sub out { print "out: $_[0]\\n" }
sub call { my ($name, @args) = @_; $! = 0; return syscall($N{$name} // die("broken: no number of $name\\n"), @args) }
sub refused {
  my $result = call(@_);
  my $error = $! + 0;
  return held("$_[0]: $!") if $result == -1 && ($error == 1 || $error == 38);
  out("$_[0] came to $result ($!)");
}`;
}
