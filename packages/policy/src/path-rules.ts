/** Paths that no operation may change, whoever asks. Each rule says why, and carries examples that are checked by a test. */
export interface PathRule {
  pattern: string;
  reason: string;
  matches: string[];
  leaves: string[];
}

export const pathRules: PathRule[] = [
  {
    pattern: '**/.git{,/**}',
    reason: 'git’s own files are not part of the repository',
    matches: ['.git/config', 'vendor/x/.git/hooks/post-commit', '.git', '.GIT/config'],
    leaves: ['.gitignore', 'src/git/index.ts', '.github/workflows/ci.yml'],
  },
  {
    pattern: '.fettle{,/**}',
    reason: 'an operation may not change the rules it works under',
    matches: ['.fettle/config.yml', '.Fettle/config.yml'],
    leaves: ['docs/.fettle/x.md', 'fettle/config.yml'],
  },
];
