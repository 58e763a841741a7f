import type { PollTest } from '@/contract/triggers/poll';
import { ALWAYS_CERTAIN } from '@/server/lease-clock';
import { Stop } from '../load/stop';
import { findPoll } from './claim';
import { newItemsOf } from './poll';
import { readSource } from './source';

const MAX_ITEMS = 20;
/** Longer than the node of a poll may take: while the database is away, an attempt is repeated, but not for a caller. */
const LIMIT_MS = 130_000;
/** Characters of JSON of the items of a test. */
const MAX_CHARACTERS = 256 * 1024;

/** Asks the source of a poll now, and stores nothing. Undefined: it is gone. Throws PollFailure. */
export async function testPoll(id: string, workflowId: string): Promise<PollTest | undefined> {
  const poll = await findPoll(id, workflowId);
  if (!poll) return undefined;
  const stop = new Stop();
  const late = setTimeout(() => stop.stop(), LIMIT_MS);
  const polled = await readSource(poll, stop, ALWAYS_CERTAIN).finally(() => clearTimeout(late));
  const found = await newItemsOf(id, polled);
  let characters = 0;
  const shown = found.slice(0, MAX_ITEMS).filter(({ text }) => (characters += text.length) <= MAX_CHARACTERS);
  return {
    total: polled.keys.length,
    newItems: found.length,
    items: shown.map(({ text }) => JSON.parse(text) as unknown),
    cursor: JSON.parse(polled.cursor) as unknown,
  };
}
