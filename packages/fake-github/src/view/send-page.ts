import type { FastifyReply } from 'fastify';
import { contentSecurityPolicy, type Html, renderPage } from './layout.ts';

export function sendHtml(reply: FastifyReply, text: string) {
  const headers = { 'content-security-policy': contentSecurityPolicy };
  return reply.headers(headers).type('text/html; charset=utf-8').send(text);
}

export function sendPage(reply: FastifyReply, title: string, body: Html) {
  return sendHtml(reply, renderPage(title, body));
}
