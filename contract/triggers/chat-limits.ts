/** Limits and events of chats without their schemas, so that the page does not load zod for them. */

/** Characters of a message. */
export const MAX_CHAT_MESSAGE = 10_000;
export const MAX_CHAT_FILES = 10;
/** Bytes of one file, and of all files of a message. */
export const MAX_CHAT_FILE_BYTES = 20 * 1024 * 1024;
export const MAX_CHAT_FILES_BYTES = 50 * 1024 * 1024;

/** What the answer to a message says, one event after the other. `message`, `error` and `later` are the last one. */
export type ChatEvent =
  /** The run is stored. Who has the session gets its answer by this receipt, too. */
  | { event: 'started'; data: { receipt: string } }
  | { event: 'working'; data: Record<string, never> }
  /** The run waits: for an approval, a call or a time. */
  | { event: 'waiting'; data: Record<string, never> }
  /** A part of an answer that a model is writing: `text` continues it at position `at`, in UTF-16 units; 0: it begins a new one. A preview. */
  | { event: 'partial'; data: { at: number; text: string } }
  | { event: 'message'; data: ChatAnswer }
  /** There is no answer: `message` says why in words for the reader. */
  | { event: 'error'; data: { message: string } }
  /** The run continues, but this answer ends: the client asks again by the receipt. */
  | { event: 'later'; data: Record<string, never> };

/** `json`: the text is JSON, which is shown as it is. */
export interface ChatAnswer {
  format: 'markdown' | 'json';
  text: string;
}
