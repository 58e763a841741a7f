import type { TestPollResponse } from '@/contract/triggers/poll';
import { ALWAYS_CERTAIN } from '@/server/platform/timers/lease-clock';
import { StopController } from '@/server/engine/load/stop';
import { findPollById } from './claim';
import { findNewPollItems } from './poll';
import { readPollSource } from './source';

const MAX_TEST_ITEMS = 20;
/**
 * Longer than the time limit of a poll's node. Bounds the attempts while the database is unavailable, because a caller
 * waits.
 */
const POLL_TEST_TIMEOUT_MS = 130_000;
/** Limit of the JSON characters of the items that a test returns. */
const MAX_TEST_ITEM_CHARACTERS = 256 * 1024;

/** Requests the source of a poll now, and stores nothing. Undefined: the poll was deleted. Throws PollFailure. */
export async function testPollSource(id: string, workflowId: string): Promise<TestPollResponse | undefined> {
  const poll = await findPollById(id, workflowId);
  if (!poll) return undefined;
  const stop = new StopController();
  const late = setTimeout(() => stop.stop(), POLL_TEST_TIMEOUT_MS);
  const polled = await readPollSource(poll, stop, ALWAYS_CERTAIN).finally(() => clearTimeout(late));
  const found = await findNewPollItems(id, polled);
  let characters = 0;
  const shown = found
    .slice(0, MAX_TEST_ITEMS)
    .filter(({ text }) => (characters += text.length) <= MAX_TEST_ITEM_CHARACTERS);
  return {
    total: polled.keys.length,
    newItems: found.length,
    items: shown.map(({ text }) => JSON.parse(text) as unknown),
    cursor: JSON.parse(polled.cursor) as unknown,
  };
}
