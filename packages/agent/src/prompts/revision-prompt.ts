/** The user message that starts a revision. The messages of the people who requested changes follow it. */
export interface RevisionContext {
  branch: string;
  /** The files that others changed on the branch since the proposal. */
  changedByOthers: string[];
  /** Why the revision before this one ended without a commit. */
  discarded: string | undefined;
}

const maxListed = 50;

export function revisionPrompt({ branch, changedByOthers, discarded }: RevisionContext): string {
  const listed = changedByOthers.slice(0, maxListed).map((path) => `\`${path}\``);
  const more = changedByOthers.length - listed.length;
  const others =
    changedByOthers.length === 0
      ? ''
      : ` Others have pushed to ${branch} since then and changed ${listed.join(', ')}${more > 0 ? ` and ${more} more files` : ''}: read these files again before you edit them, and keep what they did.`;
  const lost =
    discarded === undefined
      ? ''
      : ` The revision before this one ended without a commit (${discarded.slice(0, 500)}), so nothing that you changed in it is in the files: make those changes again where they are still wanted.`;
  return `Your change was proposed as a pull request, and the files are as they are on its branch.${lost}${others}

Changes are requested in the messages that follow. Make them, and finish with a description of what you changed this time; its first line becomes the title of the new commit. If nothing has to change, change nothing and say why.`;
}
