/** A protocol of the server: how requests are read, and how answers and errors are written. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ComposedMessage } from '../answer/compose-message.ts';
import type { Parsed, PlayRequest } from '../request/request.ts';
import type { ApiError } from './api-error.ts';

export type Wire = {
  checkHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): ApiError | undefined;
  /** Returns the request in the format of the Messages API, which the record uses. */
  read(body: unknown): Parsed<PlayRequest>;
  errorBody(error: Pick<ApiError, 'type' | 'message' | 'code'>, requestId: string): string;
  /** The error for a prompt that exceeds the context window. */
  overflow: ApiError;
  answerJson(message: ComposedMessage): string;
  answerEvents(message: ComposedMessage, request: PlayRequest): Iterable<string>;
  /** The first events of an endless answer, and the event that is repeated. */
  openEvents(message: ComposedMessage): string[];
  endlessEvent: string;
  errorEvent(type: string, requestId: string): string;
};
