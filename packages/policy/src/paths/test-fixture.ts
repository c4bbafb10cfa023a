const folder =
  /^(tests?|specs?|__tests__|fixtures?|__fixtures__|test[-_]?(data|fixtures|resources)|mocks|__mocks__)$/;

/** Whether a file is plainly part of a test, by a folder on its path. This says nothing about its content. */
export function isTestFixture(path: string): boolean {
  return path
    .toLowerCase()
    .split('/')
    .slice(0, -1)
    .some((name) => folder.test(name));
}
