import type { Objection } from '../verdict.ts';
import type { Reading } from './read-content.ts';

export interface ContentFile {
  path: string;
  /** As it is in the commit that the change is based on; nothing where it is new. */
  before?: Buffer | undefined;
  after: Buffer;
}

export interface ContentOptions {
  /** The most that one file may have. */
  maxBytes?: number;
  /** Addresses of registries that packages may come from, besides the public ones: `https://npm.example.com`. */
  registries?: readonly string[];
}

/** What a check found, and where. */
export interface Found {
  rule: ContentRuleName;
  /** Counted from 1. */
  line?: number;
  /** The part that is meant, in a form that can be shown. */
  token?: string;
}

export type ContentObjection = Objection & Omit<Found, 'rule'>;
export type ContentCheck = (reading: Reading, options: ContentOptions) => Found[];

type Ruling = Omit<Objection, 'rule'>;

const nobodyReads = 'nobody who reviews the change can read what it does';

/** What each rule on contents says. What breaks one is found by the check of its name. */
export const contentRules = {
  'too-large': {
    decision: 'deny',
    reason: 'it is larger than one file of a change may be',
    instead: 'Leave it out of the change, or split it; say in your answer how it can be made again.',
  },
  'long-line': {
    decision: 'deny',
    reason: 'a line of it is so long that neither people nor scanners read it',
    instead: 'Leave made files out of the change, or have them made with shorter lines.',
  },
  'bidirectional-control': {
    decision: 'deny',
    reason: 'it holds characters that make text read otherwise than it is (Trojan Source)',
    instead: 'Write the character as an escape, such as \\u202e, or leave it out.',
  },
  'invisible-character': {
    decision: 'deny',
    reason: 'it holds a character that nobody sees',
    instead: 'Write the character as an escape, such as \\u200b, or leave it out.',
  },
  'control-character': {
    decision: 'deny',
    reason: 'it holds a control character, which terminals obey instead of showing it',
    instead: 'Write the character as an escape, such as \\u001b, or leave it out.',
  },
  'look-alike-letters': {
    decision: 'approve',
    reason: 'a word mixes letters of two alphabets that look alike',
    instead: 'Write the word in one alphabet.',
  },
  'conflict-marker': {
    decision: 'deny',
    reason: 'it holds the marks of a merge conflict',
    instead: 'Decide for one side, and take the marks out.',
  },
  'binary-over-text': {
    decision: 'deny',
    reason: `it is binary where text was or belongs: ${nobodyReads}`,
    instead: 'Write it as UTF-8 text.',
  },
  'new-binary': {
    decision: 'approve',
    reason: `it is binary: ${nobodyReads}`,
    instead: 'Add what it is made from, and how.',
  },
  'active-content': {
    decision: 'deny',
    reason: 'it is an image or a document that runs code or loads something when it is opened',
    instead: 'Leave out scripts, event handlers and addresses: shapes and text are enough.',
  },
  beacon: {
    decision: 'deny',
    reason: 'it loads an image from an address that carries data away when the page is shown',
    instead: 'Put the image into the repository, or use an address without data in it.',
  },
  'install-script': {
    decision: 'deny',
    reason: 'it runs on people’s machines when they install',
    instead: 'Give it a name that nothing runs by itself, such as "generate", and say when to run it.',
  },
  'package-manager': {
    decision: 'approve',
    reason: 'it changes which program installs packages, or what that may run',
    instead: 'Leave it as it is.',
  },
  'dependency-source': {
    decision: 'deny',
    reason: 'a package would come from somewhere that is not a registry',
    instead: 'Name a version that the registry has.',
  },
  'dependency-integrity': {
    decision: 'deny',
    reason: 'the checksum of a package is another one, or gone, and its version is the same',
    instead: 'Let install_dependencies write the lockfile.',
  },
  'unreadable-manifest': {
    decision: 'deny',
    reason: 'it cannot be read as what its name says, so that nobody knows what it installs',
    instead: 'Write it as valid JSON with the fields of the right kind.',
  },
  'new-dependency': {
    decision: 'approve',
    reason: 'it brings in a package that was not there before',
    instead: 'Do without, where that is as good.',
  },
} as const satisfies Record<string, Ruling>;

export type ContentRuleName = keyof typeof contentRules;
