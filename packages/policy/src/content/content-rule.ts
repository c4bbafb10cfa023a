import type { Objection } from '../verdict.ts';
import type { Reading } from './read-content.ts';

export interface ContentFile {
  path: string;
  /** The content at the base commit. Undefined for a new file. */
  before?: Buffer | undefined;
  after: Buffer;
}

export interface ContentOptions {
  /** The maximum size of one file. */
  maxBytes?: number;
  /** Registries that packages may come from besides the public ones, such as `https://npm.example.com`. */
  registries?: readonly string[];
}

/** What a check found, and where. */
export interface Found {
  rule: ContentRuleName;
  /** 1-based. */
  line?: number;
  /** The offending text, in a form that is safe to display. */
  token?: string;
}

export type ContentObjection = Objection & Omit<Found, 'rule'>;
export type ContentCheck = (reading: Reading, options: ContentOptions) => Found[];

type Ruling = Omit<Objection, 'rule'>;

const nobodyReads = 'nobody who reviews the change can read what it does';

/** The messages of the content rules. Each is applied by the check of the same name. */
export const contentRules = {
  'too-large': {
    decision: 'deny',
    reason: 'the file exceeds the maximum size of a changed file',
    instead: 'Leave it out of the change, or split it. Say in your answer how to regenerate it.',
  },
  'long-line': {
    decision: 'deny',
    reason: 'a line is too long for people and scanners to read',
    instead: 'Leave generated files out of the change, or generate them with shorter lines.',
  },
  'bidirectional-control': {
    decision: 'deny',
    reason: 'it contains characters that make the text look different from what it is (Trojan Source)',
    instead: 'Write the character as an escape, such as \\u202e, or leave it out.',
  },
  'invisible-character': {
    decision: 'deny',
    reason: 'it contains an invisible character',
    instead: 'Write the character as an escape, such as \\u200b, or leave it out.',
  },
  'control-character': {
    decision: 'deny',
    reason: 'it contains a control character, which a terminal executes instead of displaying',
    instead: 'Write the character as an escape, such as \\u001b, or leave it out.',
  },
  'look-alike-letters': {
    decision: 'approve',
    reason: 'a word mixes letters of two alphabets that look alike',
    instead: 'Write the word in one alphabet.',
  },
  'conflict-marker': {
    decision: 'deny',
    reason: 'it contains merge conflict markers',
    instead: 'Resolve the conflict and remove the markers.',
  },
  'binary-over-text': {
    decision: 'deny',
    reason: `it is binary where text was or belongs: ${nobodyReads}`,
    instead: 'Write it as UTF-8 text.',
  },
  'new-binary': {
    decision: 'approve',
    reason: `it is binary: ${nobodyReads}`,
    instead: 'Add its source, and say how to build it.',
  },
  'active-content': {
    decision: 'deny',
    reason: 'it is an image or a document that runs code or loads remote content when it is opened',
    instead: 'Leave out scripts, event handlers and addresses: shapes and text are enough.',
  },
  beacon: {
    decision: 'deny',
    reason: 'it loads an image from a URL that can leak data when the page is displayed',
    instead: 'Put the image into the repository, or use an address without data in it.',
  },
  'install-script': {
    decision: 'deny',
    reason: 'it runs on users’ machines at install time',
    instead: 'Give it a name that no tool runs automatically, such as "generate", and say when to run it.',
  },
  'package-manager': {
    decision: 'approve',
    reason: 'it changes which program installs packages, or which scripts that program may run',
    instead: 'Leave it as it is.',
  },
  'dependency-source': {
    decision: 'deny',
    reason: 'a package would come from a source that is not a registry',
    instead: 'Use a version from the registry.',
  },
  'dependency-integrity': {
    decision: 'deny',
    reason: 'the checksum of a package changed or disappeared while its version stayed the same',
    instead: 'Let install_dependencies write the lockfile.',
  },
  'unreadable-manifest': {
    decision: 'deny',
    reason: 'it cannot be parsed as the format its name implies, so its dependencies are unknown',
    instead: 'Write it as valid JSON with the fields of the right kind.',
  },
  'new-dependency': {
    decision: 'approve',
    reason: 'it adds a new dependency',
    instead: 'Avoid the new dependency if the existing ones are enough.',
  },
} as const satisfies Record<string, Ruling>;

export type ContentRuleName = keyof typeof contentRules;
