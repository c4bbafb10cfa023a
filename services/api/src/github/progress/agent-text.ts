const maxLength = 50_000;

/** Text of an agent in a comment. It must notify nobody: a name after @ would. */
export function showAgentText(text: string): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}\n\n[shortened]` : text;
  return shown.replaceAll(/@(?=[a-z\d])/gi, '@\u2060').replaceAll('<!--', '&lt;!--');
}
