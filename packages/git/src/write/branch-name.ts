const maxSlugLength = 40;

/** `agent/{ticket-or-id}-{slug}`, valid as a branch name whatever the parts hold. */
export function branchName(parts: { ticket?: string | undefined; id: string; title: string }): string {
  const key = keyOf(parts.ticket ?? '') || keyOf(parts.id) || 'request';
  const slug = slugOf(parts.title);
  return slug ? `agent/${key}-${slug}` : `agent/${key}`;
}

/** A ticket keeps its case: `PROJ-12` is how people look for it. */
function keyOf(text: string): string {
  return dashed(text).slice(0, 60).replace(/-+$/, '');
}

function slugOf(title: string): string {
  const slug = dashed(title).toLowerCase();
  if (slug.length <= maxSlugLength) return slug;
  const cut = slug.slice(0, maxSlugLength + 1);
  const lastDash = cut.lastIndexOf('-');
  // A word is cut only where it alone is longer than the slug may be.
  return lastDash > 0 ? cut.slice(0, lastDash) : slug.slice(0, maxSlugLength);
}

function dashed(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
