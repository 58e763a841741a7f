import type { EventEmitter } from 'node:events';

/** The source of the news that a client has disconnected: its socket, or the signal of a web-standard request. */
export type ClientConnection = AbortSignal | (Pick<EventEmitter, 'once' | 'off'> & { destroyed: boolean });

/** Calls `listener` when the client disconnects, or now if it has, until the returned function is called. */
export function onClientDisconnect(connection: ClientConnection, listener: () => void): () => void {
  if (connection instanceof AbortSignal) {
    if (connection.aborted) listener();
    connection.addEventListener('abort', listener, { once: true });
    return () => connection.removeEventListener('abort', listener);
  }
  if (connection.destroyed) listener();
  connection.once('close', listener);
  return () => void connection.off('close', listener);
}
