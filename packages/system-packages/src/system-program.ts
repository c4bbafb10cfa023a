/** Describes a program that the system's packages provide. */
export interface SystemProgram {
  name: string;
  /** Its folder under `<home>/tools`. */
  folder: string;
  /** The packages that contain it. Its libraries are found automatically. */
  packages: string[];
  /** Its path in the packages. */
  path: string;
  /** Arguments with which it exits with 0 at once, such as --version. They prove that it runs here. */
  proof: string[];
  /** The Debian release to take it from, if the release of the system may not have it. */
  release?: string;
  /** What the user can do instead. */
  advice: string;
}
