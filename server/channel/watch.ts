import type { ServerMessage } from '@/contract/channel';
import { isTransient } from '../db/transient';
import { maySee, type Identity } from './identity';
import { messages, NOTHING_TOLD, type Page, type Progress } from './messages';
import { readPages, type Wanted } from './pages';

/** Who watches one execution. */
export interface Watcher {
  readonly executionId: string;
  /** As of now: a connection may renew its token. */
  identity(): Identity;
  /** False while what was sent before is still on its way: nothing more is read for this watcher then. */
  isReady(): boolean;
  deliver(messages: readonly ServerMessage[]): void;
  /** The execution is gone, or no longer (or never was) this person's to see. The watch has ended. */
  refuse(): void;
}

export interface Watch {
  /** Begins with the state so far, then tells what follows, until the run is final or the answer is called. */
  add(watcher: Watcher): () => void;
  /** A watcher is ready again. */
  wake(): void;
  /** These executions changed. */
  changed(executionIds: string[]): void;
  /** Changes may have been missed. */
  lookAgain(): void;
  close(): Promise<void>;
}

/** Executions read in one statement. */
const BATCH = 50;

/**
 * Watches executions for any number of watchers, with one statement for whatever changed. News only say where to look;
 * what is told is read off the rows, so lost ones cost `pollMs`, no message.
 */
export function openWatch({ pollMs = 2000, onError }: { pollMs?: number; onError(error: unknown): void }): Watch {
  const watchers = new Map<string, Set<Watcher>>();
  const progress = new Map<Watcher, Progress>();
  const stale = new Set<Watcher>();
  let reading: Promise<void> | undefined;
  let isClosed = false;

  const remove = (watcher: Watcher) => {
    const others = watchers.get(watcher.executionId);
    others?.delete(watcher);
    if (others?.size === 0) watchers.delete(watcher.executionId);
    progress.delete(watcher);
    stale.delete(watcher);
  };

  const wake = () => {
    if (reading || isClosed || stale.size === 0) return;
    reading = readAll().then(
      () => {
        reading = undefined;
        // Somebody may have come between the last look and now.
        if ([...stale].some((watcher) => watcher.isReady())) wake();
      },
      (error: unknown) => {
        reading = undefined;
        // Whatever it was, the rows are still there: the poll reads them again.
        onError(error);
      },
    );
  };

  const invalidate = (executionIds: Iterable<string>) => {
    for (const id of executionIds) for (const watcher of watchers.get(id) ?? []) stale.add(watcher);
    wake();
  };

  async function readAll(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0 && !isClosed; batch = nextBatch()) {
      await read(batch).catch(async (error: unknown) => {
        if (isTransient(error)) throw error;
        // Something in the batch can't be read: the others shall not wait for it.
        for (const watcher of batch) await read([watcher]).catch(onError);
      });
    }
  }

  function nextBatch(): Watcher[] {
    const batch: Watcher[] = [];
    for (const watcher of stale) {
      if (batch.length === BATCH) break;
      if (!watcher.isReady()) continue;
      stale.delete(watcher);
      batch.push(watcher);
    }
    return batch;
  }

  /** Watchers that stand at the same point share one read and one set of messages. */
  async function read(batch: readonly Watcher[]): Promise<void> {
    const wanted = new Map<string, Wanted>();
    const keys = batch.map((watcher) => {
      const { executionId } = watcher;
      const { revision } = progress.get(watcher) ?? NOTHING_TOLD;
      const key = `${executionId} ${revision}`;
      wanted.set(key, { executionId, revision });
      return key;
    });
    const [pages, allowed] = await Promise.all([
      readPages([...wanted.values()]),
      maySee(
        'execution',
        batch.map((watcher) => ({ identity: watcher.identity(), id: watcher.executionId })),
      ),
    ]);
    const steps = new Map([...wanted.keys()].map((key, index) => [key, stepsFrom(pages[index] ?? null)]));
    for (const [index, watcher] of batch.entries()) {
      const before = progress.get(watcher);
      if (!before) continue;
      const step = allowed[index] ? steps.get(keys[index] ?? '')?.(before) : null;
      if (step) tell(watcher, step);
      else {
        remove(watcher);
        watcher.refuse();
      }
    }
  }

  function tell(watcher: Watcher, step: Step): void {
    if (step.after.isDone) remove(watcher);
    else progress.set(watcher, step.after);
    if (!step.isLast) stale.add(watcher);
    if (step.messages.length > 0) watcher.deliver(step.messages);
  }

  const lookAgain = () => invalidate(watchers.keys());
  const poll = setInterval(lookAgain, pollMs);
  poll.unref();

  return {
    add(watcher) {
      const others = watchers.get(watcher.executionId);
      if (others) others.add(watcher);
      else watchers.set(watcher.executionId, new Set([watcher]));
      progress.set(watcher, NOTHING_TOLD);
      stale.add(watcher);
      wake();
      return () => remove(watcher);
    },
    wake,
    changed: (executionIds) => {
      if (watchers.size > 0) invalidate(executionIds);
    },
    lookAgain,
    async close() {
      isClosed = true;
      clearInterval(poll);
      await reading;
    },
  };
}

type Step = ReturnType<typeof messages> & { isLast: boolean };

/** Steps onto a page, each computed once; null when there is no page. */
function stepsFrom(page: Page | null): (before: Progress) => Step | null {
  const known = new Map<Progress, Step>();
  return (before) => {
    if (!page) return null;
    const step = known.get(before) ?? { isLast: page.isLast, ...messages(before, page) };
    known.set(before, step);
    return step;
  };
}
