import MarkdownIt from 'markdown-it';
import type { Html } from './layout.ts';

/** HTML in the text is shown as text. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
// The pages load no images, because their Content-Security-Policy forbids it. The alternative text is a link instead.
markdown.disable('image');

export function renderMarkdown(text: string | undefined): Html {
  if (text === undefined || text.trim() === '')
    return { html: '<p class="quiet">No description provided.</p>' };
  // GitHub hides comments, which carry markers of tools.
  return { html: markdown.render(text.replace(/<!--[\s\S]*?-->/g, '')) };
}
