/**
 * All connections of the broker. Unauthenticated ones are limited in number and time. When there are too many, the oldest is
 * closed, so that a caller that authenticates at once can always connect.
 */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface UnauthenticatedLimits {
  maxUnauthenticated: number;
  unauthenticatedMs: number;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections(limits: UnauthenticatedLimits) {
  const open = new Set<Socket>();
  const unauthenticated = new Map<Socket, NodeJS.Timeout>();

  function authenticate(socket: Socket): void {
    clearTimeout(unauthenticated.get(socket));
    unauthenticated.delete(socket);
  }

  return {
    add(socket: Socket): void {
      open.add(socket);
      unauthenticated.set(
        socket,
        setTimeout(() => socket.destroy(), limits.unauthenticatedMs),
      );
      socket.once('close', () => {
        open.delete(socket);
        authenticate(socket);
      });
      const [oldest] = unauthenticated.keys();
      if (unauthenticated.size > limits.maxUnauthenticated) oldest?.destroy();
    },
    /** The caller has sent the key. */
    authenticate,
    isAuthenticated: (socket: Socket): boolean => !unauthenticated.has(socket),
    destroyAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

const endTimeoutMs = 5_000;

/** Flushes what was written, then closes the connection, even if the other side keeps its half open. */
export function endConnection(connection: Duplex, timeoutMs = endTimeoutMs): void {
  const timer = setTimeout(() => connection.destroy(), timeoutMs);
  connection.once('close', () => clearTimeout(timer));
  // Closing with unread input would reset the connection and lose the response.
  connection.resume();
  connection.end(() => connection.destroy());
}
