/** How every toolbox is started. Without the second, a signal of any command would open its debugger to all of them. */
export const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning', '--disable-sigusr1'] as const;
