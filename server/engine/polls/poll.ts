import { prisma } from '@/server/db/client';
import type { Polled } from '@/server/evaluation/evaluation';
import { log } from '@/server/log';
import type { LeaseCertainty } from '@/server/lease-clock';
import type { Stoppable } from '../load/stop';
import { releasePoll, type ClaimedPoll } from './claim';
import { deliver, PollLost, targetOf, type NewItem } from './deliver';
import { storeFailure, storeSuccess, type Success } from './ending';
import { forgetKeys, rememberKeys, touchKeys, unknownKeys } from './seen';
import { PollFailure, readSource } from './source';

/** The items whose keys are not known; of equal keys the first. */
export async function newItemsOf(pollId: string, { keys, items }: Polled): Promise<NewItem[]> {
  const unknown = await unknownKeys(pollId, keys);
  const found: NewItem[] = [];
  for (const [index, key] of keys.entries()) {
    if (unknown.delete(key)) found.push({ key, text: items[index]?.toString() ?? 'null', index });
  }
  return found;
}

/** Executes a claimed poll and stores its outcome. Never rejects because of the source; it rejects without the database. */
export async function executePoll(poll: ClaimedPoll, until: Stoppable, lease: LeaseCertainty): Promise<void> {
  const progress = { hasStarted: false };
  try {
    await pollOnce(poll, until, lease, progress);
  } catch (error) {
    if (error instanceof PollLost || until.signal.aborted) return releasePoll(poll);
    if (error instanceof PollFailure) return storeFailure(poll, error, progress.hasStarted);
    log().error({ err: error, poll: poll.id }, 'a poll failed');
    // The source is not to blame: no backoff.
    await storeFailure(poll, new PollFailure('INTERNAL: the service could not poll.'), true);
  }
}

async function pollOnce(
  poll: ClaimedPoll,
  until: Stoppable,
  lease: LeaseCertainty,
  progress: { hasStarted: boolean },
): Promise<void> {
  const start = new Date();
  const polled = await readSource(poll, until, lease);
  const { keys, cursor } = polled;
  const newItems = await newItemsOf(poll.id, polled);
  const success: Success = { start, cursor, items: keys.length, newItems: newItems.length, refused: null };
  await touchKeys(poll.id, keys);
  if (newItems.length === 0) await storeSuccess(prisma(), poll, success);
  else if (poll.isFirst && poll.first === 'skip') await skip(poll, newItems, success);
  else {
    const target = await targetOf(poll);
    await deliver({
      poll,
      target,
      items: newItems,
      signal: until.signal,
      finish: (db, refused) => storeSuccess(db, poll, { ...success, refused }),
      onStarted: () => (progress.hasStarted = true),
    });
  }
  if (newItems.length > 0) await forgetKeys(poll.id, keys);
}

/** Remembers the items of a first answer without starting runs. */
const skip = (poll: ClaimedPoll, items: NewItem[], success: Success): Promise<void> =>
  prisma().$transaction(async (db) => {
    if (!(await storeSuccess(db, poll, success))) throw new PollLost();
    await rememberKeys(
      db,
      poll.id,
      items.map(({ key }) => key),
    );
  });
