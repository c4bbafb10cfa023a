// Every connection of the broker. One whose caller has not shown the key is a stranger, and strangers are few and short:
// one too many takes the place of the one that has been there longest, so that a caller who shows the key at once gets in.
import type { Socket } from 'node:net';

export interface StrangerLimits {
  strangers: number;
  strangerMs: number;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections(limits: StrangerLimits) {
  const open = new Set<Socket>();
  const strangers = new Map<Socket, NodeJS.Timeout>();

  function welcome(socket: Socket): void {
    clearTimeout(strangers.get(socket));
    strangers.delete(socket);
  }

  return {
    add(socket: Socket): void {
      open.add(socket);
      strangers.set(
        socket,
        setTimeout(() => socket.destroy(), limits.strangerMs),
      );
      socket.once('close', () => {
        open.delete(socket);
        welcome(socket);
      });
      const [longest] = strangers.keys();
      if (strangers.size > limits.strangers) longest?.destroy();
    },
    /** Its caller has shown the key. */
    welcome,
    isStranger: (socket: Socket): boolean => strangers.has(socket),
    destroyAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}
