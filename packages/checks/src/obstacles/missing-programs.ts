/** How shells, runners and package managers report a program that does not exist. The group is its name. */
export const missingPrograms: RegExp[] = [
  /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|da|z|a)?sh: (?:line )?(?:\d+: )?(?:eval: )?([^\s:]+): (?:command )?not found$/,
  /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|da|z|a)?sh: (?:line )?(?:\d+: )?([^\s:]+): No such file or directory$/,
  /^(?:\/usr\/bin\/)?env: [‘'"]?([^\s’'":]+)[’'"]?: No such file or directory$/,
  /^make(?:\[\d+\])?: ([^\s:]+): No such file or directory$/,
  /^\S*python[\d.]*: No module named ([\w-]+)(?:\.__main__)?(?:; .*)?$/,
  /^.*\bspawn ([\w./@-]+) ENOENT\b/,
  /^(?:bundler: )?command not found: (\S+)$/i,
  // task, go and other programs written in Go
  /^.*"([^"\s]+)": executable file not found in \$PATH/,
  /^error: (?:script not found|Script not found) "([^"]+)"/,
  /^.*\bERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\b.*Command "([^"]+)" not found/,
  /^error: Failed to spawn: `([^`]+)`$/,
  /^\[PdmUsageError\]: Command ['"]([^'"]+)['"] is not found in your PATH/,
  /^Error: the command (\S+) \(?.*could not be found within PATH/,
  /^(?:nox > )?Program (\S+) not found\.?$/,
  /^\S+: skipped because could not find (python) interpreter\b/,
  /^ERROR: +\S+: InterpreterNotFound: (\S+)$/,
  /^error: no such (?:sub)?command: `([^`]+)`/,
  /^error: '([\w-]+)' is not installed for the toolchain\b/,
  /^error: linker `([^`]+)` not found$/,
  /^Could not open input file: (\S+)$/,
  /^ERROR: JAVA_HOME is not set and no '(java)' command could be found/,
  /^.*\bNo (CMAKE_CX?X?_?COMPILER) could be found/,
];

/** Libraries that a program needs, and the registry that has them. A dotted or relative name is part of the repository. */
export const missingPackages: { pattern: RegExp; registry: string }[] = [
  { pattern: /^(?:E +)?ModuleNotFoundError: No module named '([\w-]+)'/, registry: 'pypi.org' },
  {
    pattern: /^.*\bCannot find (?:module|package) '(@?[\w-][^'./]*(?:\/[^'./]+)?)'(?: imported from .*)?$/,
    registry: 'registry.npmjs.org',
  },
  {
    pattern: /\bcannot load such file -- ([\w-]+(?:\/[\w-]+)*)(?: \(LoadError\))?$/,
    registry: 'rubygems.org',
  },
  {
    pattern:
      /\bCould not find (?:gem ')?([\w-]+)\b.* in (?:locally installed gems|any of the sources|the gems available)/,
    registry: 'rubygems.org',
  },
  { pattern: /\bFailed opening required '[^']*\/(vendor\/autoload\.php)'/, registry: 'packagist.org' },
];

/** Programs that are there, but without files that they need. Not all of /etc is visible in a sandbox. */
export const incompletePrograms: { pattern: RegExp; message: string }[] = [
  {
    pattern: /^PHPUnit requires .*, but the .* extensions? (?:are|is) not available/,
    message: 'PHP is not complete in the sandbox: PHPUnit needs more of its extensions.',
  },
  {
    pattern: /^java\.nio\.file\.NoSuchFileException: \S*\/maven\/\S*m2\.conf/,
    message: 'Maven is not complete in the sandbox: its file m2.conf is missing.',
  },
  {
    pattern:
      /^(?:Caused by: )?java\.lang\.(?:InternalError|SecurityException): (?:java\.security file|Error loading java\.security|.*java\.security)\b/,
    message: 'Java is not complete in the sandbox: its file java.security is missing.',
  },
];
