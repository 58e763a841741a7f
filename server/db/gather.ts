import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTransient } from './transient';

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

export interface GatherOptions<Item> {
  /** Most items of one flush. */
  maxItems?: number;
  /** Most bytes of one flush, as told by `weigh`; a single heavier item still goes, alone. */
  maxBytes?: number;
  weigh?(item: Item): number;
}

/**
 * Group commit: items handed in while a flush is under way go together with the next one. `flush` writes all of them
 * or none and answers in their order; each caller's promise settles when its item is committed. When a flush fails the
 * halves are tried apart, so that one bad row fails alone; a database that is away fails all of them at once.
 */
export function gather<Item, Answer>(
  flush: (items: Item[]) => Promise<Answer[]>,
  { maxItems = 1000, maxBytes = 16 * 1024 * 1024, weigh = () => 0 }: GatherOptions<Item> = {},
): (item: Item) => Promise<Answer> {
  let queue: Waiting<Item, Answer>[] = [];
  let isFlushing = false;

  async function write(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length === 1 || isTransient(error)) return batch.forEach(({ reject }) => reject(error));
      const half = batch.length >> 1;
      await write(batch.slice(0, half));
      await write(batch.slice(half));
    }
  }

  function take(): Waiting<Item, Answer>[] {
    let bytes = 0;
    let count = 0;
    for (const { item } of queue) {
      bytes += weigh(item);
      if (count === maxItems || (count > 0 && bytes > maxBytes)) break;
      count += 1;
    }
    const batch = queue.slice(0, count);
    queue = queue.slice(count);
    return batch;
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Answers go out first, and whatever else has come in by the end of this turn of the event loop goes along.
      await nextTurn();
      await write(take());
    }
    isFlushing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (isFlushing) return;
      isFlushing = true;
      void drain();
    });
}
