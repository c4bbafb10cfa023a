/** Default limits of requests. */
export const defaultLimits = {
  helloTimeoutMs: 15_000,
  closeTimeoutMs: 10_000,
  fileTimeoutMs: 30_000,
  treeTimeoutMs: 300_000,
  changesTimeoutMs: 120_000,
  searchTimeoutMs: 15_000,
  /** Time after a command's own limit to kill it and to receive its output. */
  runGraceMs: 15_000,
  readBytes: 1024 * 1024,
  writeBytes: 32 * 1024 * 1024,
  changedFiles: 5000,
  changedBytes: 64 * 1024 * 1024,
  /** The maximum for every list. The schemas of the results enforce it on the toolbox. */
  longestList: 20_000,
  longestLine: 20_000,
  listEntries: 1000,
  findResults: 1000,
  searchResults: 200,
  searchLineLength: 400,
  /** How long a poll for the next fetch stays open, and how long sending its response may take. */
  fetchPollMs: 20_000,
  fetchAnswerMs: 300_000,
  fetchesAtOnce: 16,
  fetchesPerWindow: 50_000,
  commandTimeoutMs: 120_000,
  outputBytes: 64 * 1024,
} as const;
