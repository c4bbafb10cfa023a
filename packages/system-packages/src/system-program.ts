/** A program of the system's packages, as data. */
export interface SystemProgram {
  name: string;
  /** Its folder under `<home>/tools`. */
  folder: string;
  /** The packages that carry it; its libraries are found out. */
  packages: string[];
  /** Where the packages put it. */
  path: string;
  /** Arguments with which it ends at once and well: the proof that it runs here. */
  proof: string[];
  /** The release of Debian to take it from, where the system's own may not have it. */
  release?: string;
  /** What a person can do instead. */
  advice: string;
}
