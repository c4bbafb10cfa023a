/** The message about a secret in a file, and the alternative, for the author of the file. */
export const secretWords = {
  reason: 'it contains a secret',
  instead:
    'Read it from an environment variable or a file that is not in the repository, or write a placeholder such as <token>; in a test, make a value at run time.',
};
