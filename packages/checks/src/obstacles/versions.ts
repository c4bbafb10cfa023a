/** How tools report that they are too old for the repository. */
export interface VersionProblem {
  pattern: RegExp;
  /** `$1` is what is needed, and `$2` what is installed, if the tool says so. */
  message: string;
}

export const versionProblems: VersionProblem[] = [
  {
    pattern: /^ *this version of Cargo is older than the `(\d+)` edition/,
    message: 'The repository needs a later Cargo: the installed one does not know the edition $1.',
  },
  {
    pattern: /^go: (?:.*: )?(?:\S+ )?requires go >= ([\d.]+\w*) \(running go ([\d.]+)/,
    message: 'The repository needs Go $1, and Go $2 is installed.',
  },
  {
    pattern: /^go: (?:download(?:ing)?) go([\d.]+)(?: |\S)*: toolchain not available/,
    message: 'The repository needs Go $1, which is not installed.',
  },
  {
    pattern: /^note: module requires Go ([\d.]+)$/,
    message: 'The repository needs Go $1, which is not installed.',
  },
  {
    pattern: /^(?:go: )?\S*go\.mod:\d+: invalid go version '([\d.]+)': must match format/,
    message: 'The repository needs Go $1, and the Go that is installed is too old to read its go.mod.',
  },
  {
    pattern: /^(?:go: )?\S*go\.mod:\d+: unknown directive: (toolchain|tool|godebug|ignore)$/,
    message: 'The Go that is installed is too old: it does not know «$1» in go.mod.',
  },
  {
    pattern:
      /\b(?:requires|need) rustc ([\d.]+)(?:-\w+)?(?: or newer)?, while the currently active rustc version is ([\d.]+)/,
    message: 'The repository needs Rust $1, and Rust $2 is installed.',
  },
  {
    pattern: /^error: rustc ([\d.]+) is not supported by the following packages?:/,
    message: 'Rust $1 is installed, and packages of the repository need a later one.',
  },
  {
    pattern: /^ *The package requires the Cargo feature called `([\w-]+)`, but .* \(([\d.]+)/,
    message: 'The repository needs a later Cargo: «$1» is not known to the installed $2.',
  },
  {
    pattern:
      /\block file version `?(\d+)`? (?:was found, but this version of Cargo does not understand|requires `-Znext-lockfile-bump`)/,
    message: 'The repository needs a later Cargo: the installed one cannot read version $1 of Cargo.lock.',
  },
  {
    pattern:
      /^(?:error: )?.*\b(?:Ruby version is|Your Ruby version is) ([\d.]+), but your Gemfile specified (\S+)/,
    message: 'The Gemfile needs Ruby $2, and Ruby $1 is installed.',
  },
  {
    pattern: /^ERROR: Package '?\S+?'? requires a different Python: ([\d.]+) not in '([^']+)'/,
    message: 'The repository needs Python $2, and Python $1 is installed.',
  },
  {
    pattern:
      /^\[?(?:ERROR)?\]? ?.*\b(?:invalid target release|release version (?:\d+) not supported|Unsupported class file major version):? ?([\d.]*)/,
    message: 'The repository needs another version of Java.',
  },
];
