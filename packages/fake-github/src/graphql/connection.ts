/** Pages of GraphQL, by cursors. */
import { GraphQLError } from 'graphql';

export interface PageArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
}

const maxPerPage = 100;

export function connect<Item>(name: string, items: readonly Item[], page: PageArguments) {
  const size = page.first ?? page.last;
  if (size === undefined || size === null)
    throw new GraphQLError(
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
      { extensions: { type: 'MISSING_PAGINATION_BOUNDARIES' } },
    );
  if (size < 1 || size > maxPerPage)
    throw new GraphQLError(
      `Requesting ${size} records on the \`${name}\` connection exceeds the limit of ${maxPerPage} records.`,
      { extensions: { type: 'EXCESSIVE_PAGINATION' } },
    );
  const from = page.after ? decode(page.after) + 1 : 0;
  const to = page.before ? decode(page.before) : items.length;
  const start = page.first ? from : Math.max(from, to - size);
  const end = page.first ? Math.min(to, from + size) : to;
  return {
    nodes: items.slice(start, end),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: end > start ? encode(start) : null,
      endCursor: end > start ? encode(end - 1) : null,
    },
  };
}

function encode(index: number): string {
  return Buffer.from(`cursor:${index}`).toString('base64');
}

function decode(cursor: string): number {
  return Number(Buffer.from(cursor, 'base64').toString().split(':')[1]);
}
