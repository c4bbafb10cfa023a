/** Pages with GitHub's Link header. */
import { type Answer, type Call, ok } from './endpoint.ts';

const defaultPerPage = 30;
const maxPerPage = 100;

export function paginate<Item>(
  { query, url }: Pick<Call, 'query' | 'url'>,
  items: readonly Item[],
  shape: (item: Item) => unknown,
  /** Wraps the page, for example into `{ total_count, check_runs }`. */
  wrap: (page: unknown[], total: number) => unknown = (page) => page,
): Answer {
  const perPage = clamp(query.per_page, defaultPerPage, maxPerPage);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const page = clamp(query.page, 1, Number.MAX_SAFE_INTEGER);
  const shown = items.slice((page - 1) * perPage, page * perPage).map(shape);
  const link = (number: number, rel: string) => {
    const address = new URL(url);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    address.searchParams.set('page', String(number));
    return `<${address}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    ...ok(wrap(shown, items.length)),
    ...(links.length > 0 && { headers: { link: links.join(', ') } }),
  };
}

function clamp(value: string | undefined, fallback: number, max: number): number {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isNaN(number) || number < 1 ? fallback : Math.min(number, max);
}
