import type { EventEmitter } from 'node:events';

/** What tells that the client of a request has disconnected: its socket, or the signal of a web-standard request. */
export type Connection = AbortSignal | (Pick<EventEmitter, 'once' | 'off'> & { destroyed: boolean });

/** Calls `listener` when the client disconnects, or now if it has, until the returned function is called. */
export function onDisconnect(connection: Connection, listener: () => void): () => void {
  if (connection instanceof AbortSignal) {
    if (connection.aborted) listener();
    connection.addEventListener('abort', listener, { once: true });
    return () => connection.removeEventListener('abort', listener);
  }
  if (connection.destroyed) listener();
  connection.once('close', listener);
  return () => void connection.off('close', listener);
}
