import type { PreviewPollRequest, TestPollResponse } from '@/contract/triggers/poll';
import { generateId } from '@/server/platform/db/ids';
import { ALWAYS_CERTAIN } from '@/server/platform/timers/lease-clock';
import type { AuthorizedPerson, NodeAuthority } from '@/server/engine/attempt/authority';
import { StopController } from '@/server/engine/load/stop';
import { findPollById } from './claim';
import { findNewPollItems } from './poll';
import { readPollSource, type PollSettingsToAsk } from './source';

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
  return poll && askPollSource(poll);
}

/** The same with settings that are not saved, and with the permissions of who tests them. */
export const testUnsavedPoll = (
  { node, items, key, cursor = null, language }: PreviewPollRequest,
  workflowId: string,
  { person }: AuthorizedPerson,
): Promise<TestPollResponse> =>
  askPollSource(
    {
      // No poll has this id, so that no key is known.
      id: generateId('poll'),
      name: '',
      workspaceId: person.workspaceId,
      workflowId,
      node,
      items,
      key,
      cursorExpression: cursor,
      language,
      first: 'skip',
      cursor: 'null',
    },
    { person },
  );

async function askPollSource(poll: PollSettingsToAsk, version?: NodeAuthority): Promise<TestPollResponse> {
  const stop = new StopController();
  const late = setTimeout(() => stop.stop(), POLL_TEST_TIMEOUT_MS);
  const polled = await readPollSource(poll, stop, ALWAYS_CERTAIN, version).finally(() => clearTimeout(late));
  const found = await findNewPollItems(poll.id, polled);
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
