/** What a sandbox does not have, as the programs that miss it say so. */
const hints: [RegExp, string][] = [
  [
    /playwright install|browserType\.launch|Could not find (?:Chrome|Firefox)|No usable sandbox!|No binary for Chrome|CHROME_BIN/,
    'Part of it needs a browser, which the sandbox does not have.',
  ],
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH)\b|getaddrinfo (?:failed|E)|Could not resolve host|Temporary failure in name resolution|dns error|JSR package manifest|error sending request/,
    'Part of it needs the network, which the sandbox does not have.',
  ],
  [
    /fatal: (?:not a git repository|No names found|bad revision|ambiguous argument|no upstream|Needed a single revision)|unknown revision or path/,
    'Part of it needs the history or the tags of git, and the sandbox has only the files of one commit.',
  ],
  [
    /Cannot connect to the Docker daemon|docker: (?:command )?not found|Could not find a working container runtime/,
    'Part of it needs Docker, which the sandbox does not have.',
  ],
];

export function findHints(output: string): string[] {
  return hints.flatMap(([pattern, hint]) => (pattern.test(output) ? [hint] : []));
}
