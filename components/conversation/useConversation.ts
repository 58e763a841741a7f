import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChatReplyEvent } from '@/contract/triggers/chat-limits';
import { requestChatReply, isPermanentRefusal, sendChatMessage, chatErrorSentence } from './service';
import {
  isTurnPending,
  startConversation,
  randomHexId,
  parseConversation,
  applyChatEvent,
  serializeConversation,
  type StoredConversation,
  type ChatTurn,
} from './turns';

/**
 * Milliseconds before the answer is asked for again: after a stream that lasted, then after streams that ended at once
 * and errors in a row.
 */
const REPLY_RETRY_DELAYS_MS = [500, 2000, 5000, 10_000, 20_000, 30_000];
const MAX_STREAM_ERRORS = REPLY_RETRY_DELAYS_MS.length;
/** Milliseconds after which a stream has lasted. */
const STABLE_STREAM_MS = 5000;
const STREAM_LOST_TEXT = 'The connection was lost. The answer may still be on its way.';
const UNSENT_ON_LOSS = 'The connection was lost. The message may not have arrived.';

const conversationKey = (address: string) => `weft.chat.${address}`;

/** Resolves after a time, or when the signal aborts. */
const abortableDelay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** The conversation of this tab with a chat: its turns, and what a reader can do. The address stays the same. */
export function useConversation(address: string) {
  const [conversation, setConversation] = useState<StoredConversation>(() =>
    parseConversation(sessionStorage.getItem(conversationKey(address))),
  );
  const { session, turns } = conversation;
  const left = useRef(new AbortController());
  /** The files of messages that may have to be sent again. A reload loses them. */
  const filesOf = useRef(new Map<string, readonly File[]>());

  useEffect(
    () => sessionStorage.setItem(conversationKey(address), serializeConversation(conversation)),
    [address, conversation],
  );

  const change = (id: string, next: (turn: ChatTurn) => ChatTurn) =>
    setConversation((current) => ({
      ...current,
      turns: current.turns.map((turn) => (turn.id === id ? next(turn) : turn)),
    }));

  /** Takes the events of a turn until they end. Returns whether the turn is over. */
  const take = async (id: string, events: AsyncIterable<ChatReplyEvent>, onReceipt?: (receipt: string) => void) => {
    for await (const event of events) {
      change(id, (turn) => applyChatEvent(turn, event));
      if (event.event === 'started') onReceipt?.(event.data.receipt);
      if (event.event === 'message' || event.event === 'error') return true;
    }
    return false;
  };

  /** Asks for the answer of a stored run until it is there. */
  const follow = async (id: string, receipt: string, signal: AbortSignal) => {
    let [hurried, errors] = [0, 0];
    while (!signal.aborted) {
      const begunAt = performance.now();
      try {
        if (await take(id, await requestChatReply(address, { session, receipt }, signal))) return;
        errors = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (isPermanentRefusal(error))
          return change(id, (turn) => ({ ...turn, state: 'failed', error: chatErrorSentence(error) }));
        errors += 1;
        if (errors === MAX_STREAM_ERRORS)
          return change(id, (turn) => ({ ...turn, state: 'cut', error: STREAM_LOST_TEXT }));
      }
      hurried = performance.now() - begunAt < STABLE_STREAM_MS ? hurried + 1 : 0;
      await abortableDelay(REPLY_RETRY_DELAYS_MS[Math.min(hurried, REPLY_RETRY_DELAYS_MS.length - 1)] ?? 0, signal);
    }
  };

  const start = async ({ id, message }: ChatTurn, signal: AbortSignal) => {
    let receipt: string | undefined;
    let reason = UNSENT_ON_LOSS;
    try {
      const files = filesOf.current.get(id) ?? [];
      const events = await sendChatMessage(address, { session, message, files }, signal);
      if (await take(id, events, (found) => (receipt = found))) return;
    } catch (error) {
      reason = chatErrorSentence(error);
    }
    if (signal.aborted) return;
    if (receipt === undefined) change(id, (turn) => ({ ...turn, state: 'failed', error: reason }));
    else await follow(id, receipt, signal);
  };

  const send = (message: string, files: readonly File[]) => {
    const turn: ChatTurn = { id: randomHexId(), message, files: files.map(({ name }) => name), state: 'sending' };
    filesOf.current.set(turn.id, files);
    setConversation((current) => ({ ...current, turns: [...current.turns, turn] }));
    void start(turn, left.current.signal);
  };

  const resume = useEffectEvent((signal: AbortSignal) => {
    for (const { id, state, receipt } of turns)
      if (receipt !== undefined && (state === 'working' || state === 'waiting')) void follow(id, receipt, signal);
  });
  useEffect(() => {
    left.current = new AbortController();
    resume(left.current.signal);
    // The clean-up aborts the controller of the conversation that is left, not of the first one.
    return () => left.current.abort();
  }, []);

  return {
    turns,
    isBusy: turns.some((turn) => isTurnPending(turn) && turn.state !== 'waiting'),
    send,
    /** Asks again for an answer that may be there, or sends the message again. */
    retry(turn: ChatTurn) {
      const { id, receipt, state } = turn;
      const { signal } = left.current;
      if (state === 'cut' && receipt !== undefined) {
        change(id, (one) => ({ ...one, state: 'working', error: undefined }));
        void follow(id, receipt, signal);
        return;
      }
      setConversation((current) => ({ ...current, turns: current.turns.filter((one) => one.id !== id) }));
      send(turn.message, filesOf.current.get(id) ?? []);
    },
    /** Whether a message can be sent again: its files are still known. */
    canRetry: ({ id, files, state }: ChatTurn) =>
      state === 'cut' || files.length === 0 || (filesOf.current.get(id) ?? []).length === files.length,
    startAnew() {
      left.current.abort();
      left.current = new AbortController();
      filesOf.current.clear();
      setConversation(startConversation());
    },
  };
}
