const maxSlugLength = 40;

/** `agent/{ticket-or-id}-{slug}`. Always a valid branch name. */
export function branchName(parts: { ticket?: string | undefined; id: string; title: string }): string {
  const key = keyOf(parts.ticket ?? '') || keyOf(parts.id) || 'request';
  const slug = slugOf(parts.title);
  return slug ? `agent/${key}-${slug}` : `agent/${key}`;
}

/** Keeps the case of a ticket, because people search for `PROJ-12`. */
function keyOf(text: string): string {
  return dashed(text).slice(0, 60).replace(/-+$/, '');
}

function slugOf(title: string): string {
  const slug = dashed(title).toLowerCase();
  if (slug.length <= maxSlugLength) return slug;
  const cut = slug.slice(0, maxSlugLength + 1);
  const lastDash = cut.lastIndexOf('-');
  // Cuts between words, unless the first word alone is too long.
  return lastDash > 0 ? cut.slice(0, lastDash) : slug.slice(0, maxSlugLength);
}

function dashed(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
