import type { PollTest } from '@/contract/triggers/poll';
import { ALWAYS_CERTAIN } from '@/server/lease-clock';
import { Stop } from '../run/stop';
import { findPoll } from './claim';
import { newItemsOf } from './poll';
import { readSource } from './source';

const MAX_ITEMS = 20;
/** Characters of JSON of the items of a test. */
const MAX_CHARACTERS = 256 * 1024;

/** Asks the source of a poll now, and stores nothing. Undefined: it is gone. Throws PollFailure. */
export async function testPoll(id: string, workflowId: string): Promise<PollTest | undefined> {
  const poll = await findPoll(id, workflowId);
  if (!poll) return undefined;
  const polled = await readSource(poll, new Stop(), ALWAYS_CERTAIN);
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
