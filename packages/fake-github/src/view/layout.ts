/** The frame of the pages for people. Every value is escaped unless it is `Html`. */

/** Text that is HTML already. */
export interface Html {
  html: string;
}

type Value = string | number | Html | undefined | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = parts.reduce((done, part, index) => done + render(values[index - 1]) + part);
  return { html: text };
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map((each) => each.html).join('\n');
}

function escapeText(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character] ?? character);
}

/** The pages load nothing and run nothing. */
export const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action *";

export function renderPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${{ html: styles }}</style>
</head>
<body>
<main>
${body}
</main>
<footer>This is a fake GitHub for tests and demos.</footer>
</body>
</html>
`.html;
}

const styles = `
  body { margin: 0; color: #1f2328; background: #fff; font: 16px/1.5 system-ui, sans-serif; }
  main, footer { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem; }
  footer { color: #59636e; font-size: 0.85rem; }
  a { color: #0550ae; }
  h1 { font-weight: 500; line-height: 1.25; }
  h2 { margin-top: 2rem; font-size: 1.15rem; border-bottom: 1px solid #d1d9e0; }
  code, pre { font: 0.85rem/1.45 ui-monospace, monospace; background: #f6f8fa; }
  pre { padding: 0.75rem; overflow-x: auto; border-radius: 6px; }
  table { border-collapse: collapse; width: 100%; }
  th, td { padding: 0.35rem 0.75rem; text-align: left; border: 1px solid #d1d9e0; vertical-align: top; }
  article { margin: 1rem 0; border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden; }
  article > header { padding: 0.5rem 1rem; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; }
  article > div { padding: 0.25rem 1rem; }
  ul.plain { padding: 0; list-style: none; }
  .state { padding: 0.2rem 0.75rem; border-radius: 1rem; color: #fff; background: #1a7f37; font-size: 0.9rem; }
  .state.closed, .state.failure { background: #cf222e; }
  .state.merged { background: #8250df; }
  .state.draft, .state.neutral { background: #59636e; }
  .label { padding: 0.1rem 0.6rem; border-radius: 1rem; background: #ddf4ff; font-size: 0.85rem; }
  .quiet { color: #59636e; }
  .add { background: #dafbe1; } .del { background: #ffebe9; } .hunk { background: #ddf4ff; }
  .line { display: block; }
`;
