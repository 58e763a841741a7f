import type { ChatReply, ChatReplyEvent } from '@/contract/triggers/chat-limits';

/** A message and what became of it. */
export interface ChatTurn {
  id: string;
  message: string;
  /** The names of its files. */
  files: string[];
  /**
   * sending: whether it arrived is not known yet. working, waiting: its run is stored. cut: the connection is lost, the
   * run may go on. failed: there is no answer.
   */
  state: 'sending' | 'working' | 'waiting' | 'cut' | 'answered' | 'failed';
  /** The part of the answer that is written so far: a preview. */
  draft?: string;
  /** The receipt that entitles the page to ask for the answer. */
  receipt?: string;
  answer?: ChatReply;
  /** Why there is no answer, in words. */
  error?: string;
}

/** Applies an event to a turn. */
export function applyChatEvent(turn: ChatTurn, { event, data }: ChatReplyEvent): ChatTurn {
  switch (event) {
    case 'started':
      return { ...turn, state: 'working', receipt: data.receipt };
    case 'working':
    case 'waiting':
      return { ...turn, state: event };
    case 'partial':
      return { ...turn, state: 'working', draft: extendDraft(turn.draft, data) };
    case 'message':
      return { ...turn, state: 'answered', answer: data, draft: undefined };
    case 'error':
      return { ...turn, state: 'failed', error: data.message };
    case 'later':
      return turn;
  }
}

/** Without the pieces before it, a piece cannot be shown. */
const extendDraft = (draft = '', { at, text }: { at: number; text: string }): string =>
  at > draft.length ? draft : draft.slice(0, at) + text;

export const isTurnPending = ({ state }: ChatTurn): boolean => ['sending', 'working', 'waiting'].includes(state);

/** The conversation of a browser tab. */
export interface StoredConversation {
  /** Its secret, which the service makes the session id of. */
  session: string;
  turns: ChatTurn[];
}

const UNSENT_ON_CLOSE = 'The page was closed while this was being sent. It may not have arrived.';

/** 128 random bits. `crypto.randomUUID` exists on secure origins only. */
export const randomHexId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const startConversation = (): StoredConversation => ({ session: randomHexId(), turns: [] });

/** Characters of a stored conversation: browsers keep about five million for all pages of a site. */
const MAX_STORED_CHARACTERS = 500_000;

/** The conversation as text for the tab's storage; the oldest turns are left out if it is too long. */
export function serializeConversation({ session, turns }: StoredConversation): string {
  let kept = turns;
  let text = JSON.stringify({ session, turns: kept });
  while (text.length > MAX_STORED_CHARACTERS && kept.length > 0) {
    kept = kept.slice(Math.ceil(kept.length / 4));
    text = JSON.stringify({ session, turns: kept });
  }
  return text;
}

/** The conversation that the tab has stored, or a new one. Turns whose run is known are followed again. */
export function parseConversation(text: string | null): StoredConversation {
  if (text === null) return startConversation();
  const { session, turns } = JSON.parse(text) as StoredConversation;
  return {
    session,
    turns: turns.map((turn) =>
      turn.state === 'sending' ? { ...turn, state: 'failed', error: UNSENT_ON_CLOSE } : turn,
    ),
  };
}
