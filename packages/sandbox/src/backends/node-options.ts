/** Options of every toolbox. Without `--disable-sigusr1`, any command could open the toolbox's debugger with a signal. */
export const toolboxNodeOptions = [
  '--disable-warning=ExperimentalWarning',
  '--disable-sigusr1',
  '--max-semi-space-size=1',
] as const;

/**
 * A toolbox forks for each command, and a fork is slower the more memory the process holds. So Node keeps a small young
 * generation (above), and malloc returns freed memory to the system. Commands do not inherit these variables.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
} as const;
