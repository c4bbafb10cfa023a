/** Something that the reader of a proposal has to look at before merging it. */
export interface Remark {
  /** The file, or the command. */
  path: string;
  rule: string;
  reason: string;
  /** What the rule matched. */
  tokens: string[];
}
