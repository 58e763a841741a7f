import type { ChatAnswer, ChatEvent } from '@/contract/triggers/chat-limits';

/** A message and what became of it. */
export interface Turn {
  id: string;
  message: string;
  /** The names of its files. */
  files: string[];
  /**
   * sending: whether it arrived is not known yet. working, waiting: its run is stored. cut: the connection is lost, the run may go on. failed:
   * there is no answer.
   */
  state: 'sending' | 'working' | 'waiting' | 'cut' | 'answered' | 'failed';
  /** The part of the answer that is written so far: a preview. */
  draft?: string;
  /** The right to its answer. */
  receipt?: string;
  answer?: ChatAnswer;
  /** Why there is no answer, in words. */
  error?: string;
}

/** A turn after an event. */
export function turnAfter(turn: Turn, { event, data }: ChatEvent): Turn {
  switch (event) {
    case 'started':
      return { ...turn, state: 'working', receipt: data.receipt };
    case 'working':
    case 'waiting':
      return { ...turn, state: event };
    case 'partial':
      return { ...turn, state: 'working', draft: continued(turn.draft, data) };
    case 'message':
      return { ...turn, state: 'answered', answer: data, draft: undefined };
    case 'error':
      return { ...turn, state: 'failed', error: data.message };
    case 'later':
      return turn;
  }
}

/** Without the pieces before it, a piece cannot be shown. */
const continued = (draft = '', { at, text }: { at: number; text: string }): string =>
  at > draft.length ? draft : draft.slice(0, at) + text;

export const isOpen = ({ state }: Turn): boolean => ['sending', 'working', 'waiting'].includes(state);

/** The conversation of a browser tab. */
export interface Conversation {
  /** Its secret, which the service makes the session id of. */
  session: string;
  turns: Turn[];
}

const UNSURE = 'The page was closed while this was being sent. It may not have arrived.';

/** 128 random bits. `crypto.randomUUID` exists on secure origins only. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const newConversation = (): Conversation => ({ session: randomId(), turns: [] });

/** Characters of a stored conversation: browsers keep about five million for all pages of a site. */
const MAX_STORED = 500_000;

/** The conversation as text for the tab's storage; the oldest turns are left out if it is too long. */
export function written({ session, turns }: Conversation): string {
  let kept = turns;
  let text = JSON.stringify({ session, turns: kept });
  while (text.length > MAX_STORED && kept.length > 0) {
    kept = kept.slice(Math.ceil(kept.length / 4));
    text = JSON.stringify({ session, turns: kept });
  }
  return text;
}

/** The conversation that the tab has stored, or a new one. Turns whose run is known are followed again. */
export function readConversation(text: string | null): Conversation {
  if (text === null) return newConversation();
  const { session, turns } = JSON.parse(text) as Conversation;
  return {
    session,
    turns: turns.map((turn) => (turn.state === 'sending' ? { ...turn, state: 'failed', error: UNSURE } : turn)),
  };
}
