/** What is said of a secret in a file, and what to do instead; for whoever writes the file. */
export const secretWords = {
  reason: 'it holds a secret',
  instead:
    'Read it from an environment variable or a file that is not in the repository, or write a placeholder such as <token>; in a test, make a value at run time.',
};
