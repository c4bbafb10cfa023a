/**
 * For the commands of a check. A sandbox asks programs for plain text, but the tests of many projects expect to decide
 * about colours themselves, and would be red only because of that. An empty value counts as none.
 */
export const checkEnvironment: Record<string, string> = { NO_COLOR: '' };
