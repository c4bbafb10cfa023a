// One of the protocols that the server speaks: how a request is read, and how answers and errors are written.
import type { IncomingHttpHeaders } from 'node:http';
import type { ComposedMessage } from '../answer/compose-message.ts';
import type { Parsed, PlayRequest } from '../request/request.ts';
import type { ApiError } from './api-error.ts';

export type Wire = {
  checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): ApiError | undefined;
  /** Gives the request in the terms of the Messages API, in which the record is kept. */
  read(body: unknown): Parsed<PlayRequest>;
  errorBody(error: Pick<ApiError, 'type' | 'message' | 'code'>, requestId: string): string;
  /** What is said to a prompt that is longer than the model can read. */
  overflow: ApiError;
  answerJson(message: ComposedMessage): string;
  answerEvents(message: ComposedMessage, request: PlayRequest): Iterable<string>;
  /** How an answer begins that will never end, and what it goes on with. */
  openEvents(message: ComposedMessage): string[];
  endlessEvent: string;
  errorEvent(type: string, requestId: string): string;
};
