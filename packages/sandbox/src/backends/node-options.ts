/** How every toolbox is started. Without the second, a signal of any command would open its debugger to all of them. */
export const toolboxNodeOptions = [
  '--disable-warning=ExperimentalWarning',
  '--disable-sigusr1',
  '--max-semi-space-size=1',
] as const;

/**
 * A toolbox forks for each command, which takes the longer the more memory it holds: so it keeps little for new objects
 * (above), and its allocator gives back what was freed. Commands do not inherit this.
 */
export const allocatorSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '65536',
} as const;
