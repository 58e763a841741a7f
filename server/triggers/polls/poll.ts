import { prismaClient } from '@/server/platform/db/client';
import type { PolledBatch } from '@/server/evaluation/evaluator/list-items';
import { serviceLog } from '@/server/platform/log';
import type { LeaseCertainty } from '@/server/platform/timers/lease-clock';
import type { StoppableWork } from '@/server/engine/load/stop';
import { releasePollLease, type ClaimedPoll } from './claim';
import { deliverNewItems, PollLostError, requirePollTarget, type NewPollItem } from './deliver';
import { storePollFailure, storePollSuccess, type PollSuccess } from './poll-results';
import { forgetOldestKeys, rememberPolledKeys, touchPolledKeys, findUnknownKeys } from './remembered-keys';
import { PollFailure, readPollSource } from './source';

/** Returns the items whose keys are unknown; of several items with the same key, the first. */
export async function findNewPollItems(pollId: string, { keys, items }: PolledBatch): Promise<NewPollItem[]> {
  const unknown = await findUnknownKeys(pollId, keys);
  const found: NewPollItem[] = [];
  for (const [index, key] of keys.entries()) {
    if (unknown.delete(key)) found.push({ key, text: items[index]?.toString() ?? 'null', index });
  }
  return found;
}

/**
 * Executes a claimed poll and stores its result. Rejects only if the database is unavailable, never because of the
 * source.
 */
export async function executeClaimedPoll(
  poll: ClaimedPoll,
  until: StoppableWork,
  lease: LeaseCertainty,
): Promise<void> {
  const progress = { hasStarted: false };
  try {
    await pollSourceOnce(poll, until, lease, progress);
  } catch (error) {
    if (error instanceof PollLostError || until.signal.aborted) return releasePollLease(poll);
    if (error instanceof PollFailure) return storePollFailure(poll, error, progress.hasStarted);
    serviceLog().error({ err: error, poll: poll.id }, 'a poll failed');
    // The source is not to blame: no backoff.
    await storePollFailure(poll, new PollFailure('INTERNAL: the service could not poll.'), true);
  }
}

async function pollSourceOnce(
  poll: ClaimedPoll,
  until: StoppableWork,
  lease: LeaseCertainty,
  progress: { hasStarted: boolean },
): Promise<void> {
  const start = new Date();
  const polled = await readPollSource(poll, until, lease);
  const { keys, cursor } = polled;
  const newItems = await findNewPollItems(poll.id, polled);
  const success: PollSuccess = { start, cursor, items: keys.length, newItems: newItems.length, refused: null };
  await touchPolledKeys(poll.id, keys);
  if (newItems.length === 0) await storePollSuccess(prismaClient(), poll, success);
  else if (poll.isFirst && poll.first === 'skip') await rememberSkippedItems(poll, newItems, success);
  else {
    const target = await requirePollTarget(poll);
    await deliverNewItems({
      poll,
      target,
      items: newItems,
      signal: until.signal,
      finish: (db, refused) => storePollSuccess(db, poll, { ...success, refused }),
      onStarted: () => (progress.hasStarted = true),
    });
  }
  if (newItems.length > 0) await forgetOldestKeys(poll.id, keys);
}

/** Remembers the items of the first response without starting runs. */
const rememberSkippedItems = (poll: ClaimedPoll, items: NewPollItem[], success: PollSuccess): Promise<void> =>
  prismaClient().$transaction(async (db) => {
    if (!(await storePollSuccess(db, poll, success))) throw new PollLostError();
    await rememberPolledKeys(
      db,
      poll.id,
      items.map(({ key }) => key),
    );
  });
