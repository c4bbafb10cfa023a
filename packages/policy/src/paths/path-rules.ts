import { credentialRules } from './credential-rules.ts';
import { guardRules } from './guard-rules.ts';
import { machineRules } from './machine-rules.ts';
import type { PathRule } from './path-rule.ts';

/** The built-in rules. Paths that leave the repository are denied before any rule is applied. */
export const pathRules: PathRule[] = [
  {
    rule: 'git-files',
    forbids: 'all',
    reason: 'git’s own files are not part of the repository',
    instead: 'Use git_status, git_diff and git_log to see what git knows.',
    names: '.git git~1',
    matches: [
      '.git/config',
      'vendor/x/.git/hooks/post-commit',
      '.git',
      '.GIT/config',
      '.git./x',
      'GIT~1/config',
      '.git::$INDEX_ALLOCATION/x',
      '.g\u200cit/config',
      'a/../.git',
    ],
    leaves: [
      '.gitignore',
      'src/git/index.ts',
      '.github/ISSUE_TEMPLATE/bug.md',
      'src/git/config.ts',
      'legit/config',
    ],
  },
  {
    rule: 'short-name',
    forbids: 'all',
    reason: 'on Windows this is the short name of a guarded file',
    instead: 'Use the whole name of the file.',
    like: /^(git|gi[0-9a-f]{4}|env|npmrc|netrc|pypirc|ssh|aws|gnupg|kube|github|husky|vscode|fettle|devcon|claude|agents|codeow|node_m|creden|gitmod|gitatt|gitlab|yarnrc|id_rsa|cursor)~[1-9](\..*)?$/,
    matches: ['gitmod~1', 'GI7EBA~1', 'ENV~1', 'NPMRC~1', 'NODE_M~1/x/index.js', 'CLAUDE~1.MD'],
    leaves: ['notes~1', 'src/git.ts', 'backup~', 'a~1.txt'],
  },
  ...credentialRules,
  ...guardRules,
  ...machineRules,
  {
    rule: 'option-like-name',
    forbids: 'new',
    reason: 'programs would interpret this file name as an option',
    instead: 'Choose a name that begins with a letter.',
    like: /^-.*$/,
    matches: ['-rf', '--upload-pack=x', 'src/-x.ts'],
    leaves: ['src/a-b.ts', '_x', 'docs/x-'],
  },
  {
    rule: 'unseen-characters',
    forbids: 'new',
    reason: 'the name contains invisible or text-direction characters',
    instead: 'Choose a name of letters, digits, dots, dashes and underscores.',
    written:
      /[\u00ad\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0]/,
    matches: ['src/a\u202egnp.ts', 'src/\u200bindex.ts', '\ufeffREADME.md'],
    leaves: ['docs/grüße.md', 'docs/日本.md', 'docs/❤\ufe0f.md', 'docs/می\u200cخواهم.md'],
  },
  {
    rule: 'awkward-name',
    forbids: 'shown',
    reason: 'the name is not valid, or is displayed differently, on some systems',
    instead: 'Choose a name of letters, digits, dots, dashes and underscores.',
    like: /^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?$/,
    written: /[\p{Cc}<>"|?*]|[^./ ][. ]+(\/|$)/u,
    matches: ['aux.ts', 'src/CON', 'a\tb', 'line\nbreak.txt', 'what?.md', 'docs/trailing. '],
    leaves: [
      'src/auxiliary.ts',
      'con-text.md',
      'a name with spaces.txt',
      'src/[...slug]/page.tsx',
      'com10.txt',
    ],
  },
];
