/** Quotes the issue or pull request of a request as data: each text with its author and link, bounded in size. */
import type { QuotedThread } from '@fettle/contract';
import { z } from 'zod';
import { type EventContext, type GithubClient, placeOf } from '../context.ts';
import { commentSchema } from '../events/payloads.ts';
import { mayRequest } from './may-request.ts';
import { isByBot } from './own-comments.ts';

const maxText = 8_000;
const maxTotal = 60_000;
const maxComments = 30;
/** Each takes a request to GitHub. */
const maxAuthorsAsked = 10;

export interface QuotedText {
  body: string;
  user: { login: string; type?: string | undefined };
  html_url: string;
}

export interface QuoteOptions {
  client: GithubClient;
  repository: string;
  number: number;
  /** The issue or pull request itself, with its title, and what comes before its comments. */
  first: QuotedText[];
  /** The comment that makes the request is not quoted. */
  except?: number | undefined;
  /** False for an issue that is frozen as it is. */
  withComments?: boolean;
}

export async function quoteThread(context: EventContext, options: QuoteOptions): Promise<QuotedThread> {
  const comments = options.withComments === false ? [] : await listComments(options);
  const texts = [...options.first, ...comments].filter(({ body }) => body.trim() !== '');
  const permitted = await findPermitted(context, options, texts);
  const quoted: QuotedThread = [];
  let left = maxTotal;
  for (const { body, user, html_url } of texts) {
    if (left <= 0) break;
    const text = shorten(context.dependencies.redaction.text(body.trim()), Math.min(maxText, left));
    left -= text.length;
    quoted.push({ author: user.login, url: html_url, permitted: permitted.has(user.login), text });
  }
  return quoted;
}

/** The newest comments that people wrote. */
async function listComments({ client, repository, number, except }: QuoteOptions): Promise<QuotedText[]> {
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const { data } = await client.request(route, {
    ...placeOf(repository),
    issue_number: number,
    per_page: 100,
  });
  const found = z.array(commentSchema).parse(data);
  return found.filter((each) => each.id !== except && !isByBot(each)).slice(-maxComments);
}

async function findPermitted(
  context: EventContext,
  { client, repository }: QuoteOptions,
  texts: QuotedText[],
): Promise<Set<string>> {
  const authors = [...new Set(texts.map(({ user }) => user.login))].slice(0, maxAuthorsAsked);
  const permitted = new Set<string>();
  for (const login of authors)
    if (await mayRequest(context, { client, repository, login })) permitted.add(login);
  return permitted;
}

function shorten(text: string, max: number): string {
  const note = '\n[shortened]';
  return text.length <= max ? text : text.slice(0, Math.max(1, max - note.length)) + note;
}
