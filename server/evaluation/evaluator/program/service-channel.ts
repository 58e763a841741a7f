import { Socket } from 'node:net';
import { setImmediate as flushed } from 'node:timers/promises';
import { encodeFrame } from '../frames';
import type { EvaluatorMessage } from '../jobs';

/** Interval in milliseconds after which a running job reports progress. */
const PROGRESS_INTERVAL_MS = 50;

/** The socket that the process inherits from the service. */
export const serviceSocket = new Socket({ fd: 3, readable: true, writable: true });

export const sendToService = (header: EvaluatorMessage, texts: (string | Buffer)[] = []) => {
  for (const part of encodeFrame({ header, texts })) serviceSocket.write(part);
};

export const parseJsonBuffer = (text: Buffer | undefined): unknown => JSON.parse(text?.toString() ?? 'null');

/** Reports from time to time that the next part of a job begins, and yields so that the message is sent. */
export function createProgressReport(): () => Promise<void> {
  let reportedAt = performance.now();
  return async () => {
    if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    sendToService({ kind: 'progress' });
    await flushed();
    reportedAt = performance.now();
  };
}
