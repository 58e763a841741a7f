import { z } from 'zod';
import { PointerUpdate, type PointerFrame } from '@/contract/channel';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';

/** Pointers of this process are sent in rounds, so that many people cost as many statements as one. */
const POINTER_ROUND_MS = 120;
/** Further pointers wait for the next round. */
const MAX_POINTERS_PER_ROUND = 100;
/** PostgreSQL accepts notifications of less than 8000 bytes. */
const MAX_POINTER_BYTES = 4096;

const Message = PointerUpdate.omit({ type: true }).extend({ connectionId: z.string().max(100) });

/** What was received from another process, or from anybody who can notify; undefined: it is no pointer. */
export function parsePointerMessage(message: string): PointerUpdate | undefined {
  if (message.length > MAX_POINTER_BYTES) return undefined;
  try {
    const { data } = Message.safeParse(JSON.parse(message));
    return data && { ...data, type: 'pointer' };
  } catch {
    return undefined;
  }
}

/** What others see of a window that is closed. */
export const pointerElsewhere = (workflowId: string): PointerFrame => ({
  workflowId,
  path: [],
  at: null,
  selectedIds: [],
});

/** Collects where people point, the newest place of each connection, and sends it to all processes. */
export class PointerRounds {
  readonly #waiting = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  add(connectionId: string, userId: string, frame: PointerFrame): void {
    const message = JSON.stringify({ ...frame, connectionId, userId });
    if (Buffer.byteLength(message) > MAX_POINTER_BYTES) return;
    this.#waiting.set(connectionId, message);
    this.#timer ??= setTimeout(() => this.#send(), POINTER_ROUND_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #send(): void {
    this.#timer = undefined;
    const round = [...this.#waiting].slice(0, MAX_POINTERS_PER_ROUND);
    for (const [connectionId] of round) this.#waiting.delete(connectionId);
    if (round.length > 0) currentDispatcher().pointersMoved(round.map(([, message]) => message));
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#send(), POINTER_ROUND_MS).unref();
  }
}
