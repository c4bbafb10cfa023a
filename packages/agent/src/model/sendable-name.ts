const wrongInNames = /[^a-zA-Z0-9_-]/g;

/** A name that no tool may have would cost the whole conversation, though its call was answered. */
export function sendableName(tool: string): string {
  return tool.slice(0, 64).replace(wrongInNames, '_') || 'unnamed';
}
