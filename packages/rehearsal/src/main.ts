/**
 * Runs the rehearsal as a process: main.ts <file…> [--host H] [--port N] [--latency MS]
 * Prints {"url"} when it is ready. Ends on a signal, and with the process that started it: when standard input closes.
 */
import { parseArgs } from 'node:util';
import { ConversationError, readConversation } from './record/read-conversation.ts';
import { startRehearsal } from './start-rehearsal.ts';

const exitWrongUsage = 2;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
  },
});

try {
  if (files.length === 0) throw new ConversationError('name at least one conversation file');
  const conversations = await Promise.all(files.map(readConversation));
  const rehearsal = await startRehearsal({
    conversations,
    host: values.host,
    port: Number(values.port),
    latencyMs: Number(values.latency),
  });
  const end = async () => {
    process.stdin.destroy();
    await rehearsal.close();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
  process.stdin.resume().once('end', end);
  process.stdout.write(`${JSON.stringify({ url: rehearsal.url })}\n`);
} catch (error) {
  if (!(error instanceof ConversationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = exitWrongUsage;
}
