// What is asked for when the caller names no limit.

export const defaultLimits = {
  helloTimeoutMs: 15_000,
  closeTimeoutMs: 10_000,
  fileTimeoutMs: 30_000,
  treeTimeoutMs: 300_000,
  changesTimeoutMs: 120_000,
  searchTimeoutMs: 15_000,
  /** Beyond its own limit, a command may take this long to be ended and its output to arrive. */
  runGraceMs: 15_000,
  readBytes: 1024 * 1024,
  writeBytes: 32 * 1024 * 1024,
  changedFiles: 5000,
  changedBytes: 64 * 1024 * 1024,
  /** No list is longer, whatever is asked for; the schemas of the results hold the toolbox to it. */
  longestList: 20_000,
  longestLine: 20_000,
  listEntries: 1000,
  findResults: 1000,
  searchResults: 200,
  searchLineLength: 400,
  /** How long a poll for the next fetch stays open, and how long its answer may take on the way in. */
  fetchPollMs: 20_000,
  fetchAnswerMs: 300_000,
  fetchesAtOnce: 16,
  fetchesPerWindow: 50_000,
  commandTimeoutMs: 120_000,
  outputBytes: 64 * 1024,
} as const;
