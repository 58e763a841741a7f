import { expect, test } from 'vitest';
import type { ChatReplyEvent } from '@/contract/triggers/chat-limits';
import { readServerEvents } from '@/components/client/server-events';
import {
  isTurnPending,
  startConversation,
  parseConversation,
  applyChatEvent,
  serializeConversation,
  type ChatTurn,
} from './turns';

const TURN: ChatTurn = { id: '1', message: 'Hi', files: [], state: 'sending' };

const bodyOf = (...parts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });

test('events are read however they are cut; comments are left out', async () => {
  const parts = [
    ': hello\n\nevent: star',
    'ted\ndata: {"receipt":"exec_1.a"}\n',
    '\nevent: working\ndata: {}\n\nevent: mess',
  ];
  const events: ChatReplyEvent[] = [];
  for await (const event of readServerEvents<ChatReplyEvent>(bodyOf(...parts))) events.push(event);
  expect(events).toEqual([
    { event: 'started', data: { receipt: 'exec_1.a' } },
    { event: 'working', data: {} },
  ]);
});

test('a draft is the pieces that belong together', () => {
  const partial = (at: number, text: string): ChatReplyEvent => ({ event: 'partial', data: { at, text } });
  const drafts: (string | undefined)[] = [];
  let turn = TURN;
  const events = [partial(0, 'Hel'), partial(3, 'lo'), partial(9, 'lost'), partial(2, 'y'), partial(0, 'New')];
  for (const event of events) {
    turn = applyChatEvent(turn, event);
    drafts.push(turn.draft);
  }
  expect(drafts).toEqual(['Hel', 'Hello', 'Hello', 'Hey', 'New']);
  const answered = applyChatEvent(turn, { event: 'message', data: { format: 'markdown', text: 'New one' } });
  expect(answered).toMatchObject({ state: 'answered', draft: undefined });
});

test('a turn follows its events to the answer or the error', () => {
  const started = applyChatEvent(TURN, { event: 'started', data: { receipt: 'exec_1.a' } });
  expect(started).toMatchObject({ state: 'working', receipt: 'exec_1.a' });
  const waiting = applyChatEvent(started, { event: 'waiting', data: {} });
  expect([waiting.state, applyChatEvent(waiting, { event: 'later', data: {} })]).toEqual(['waiting', waiting]);
  const data = { format: 'markdown', text: 'Hello' } as const;
  const ends = [
    applyChatEvent(started, { event: 'message', data }),
    applyChatEvent(started, { event: 'error', data: { message: 'No' } }),
  ];
  expect(ends).toMatchObject([
    { state: 'answered', answer: data },
    { state: 'failed', error: 'No' },
  ]);
  expect([TURN, started, waiting, ...ends].map(isTurnPending)).toEqual([true, true, true, false, false]);
});

test('a conversation survives a reload; what was being sent is uncertain', () => {
  const conversation = startConversation();
  expect(conversation.session).toMatch(/^[0-9a-f]{32}$/);
  const working: ChatTurn = { ...TURN, id: '2', state: 'working', receipt: 'exec_2.a' };
  const read = parseConversation(serializeConversation({ ...conversation, turns: [TURN, working] }));
  expect(read.session).toBe(conversation.session);
  expect(read.turns).toMatchObject([
    { state: 'failed', error: expect.stringContaining('may not have arrived') },
    working,
  ]);
  expect(parseConversation(null).session).not.toBe(conversation.session);
});

test('a long conversation is stored without its oldest turns', () => {
  const text = 'x'.repeat(50_000);
  const turns = Array.from({ length: 20 }, (_, n): ChatTurn => ({
    ...TURN,
    id: `${n}`,
    message: text,
    state: 'answered',
  }));
  const { turns: kept } = parseConversation(serializeConversation({ session: 's', turns }));
  expect([kept.length < 12, kept.length > 4, kept.at(-1)?.id]).toEqual([true, true, '19']);
});
