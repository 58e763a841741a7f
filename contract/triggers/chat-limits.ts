/** Limits and events of chats without their schemas, so that the page does not load zod for them. */

/** A chat message has at most this many characters. */
export const MAX_CHAT_MESSAGE_LENGTH = 10_000;
export const MAX_CHAT_FILES = 10;
/** One file, and all files of a message together, have at most so many bytes. */
export const MAX_CHAT_FILE_BYTES = 20 * 1024 * 1024;
export const MAX_CHAT_UPLOAD_BYTES = 50 * 1024 * 1024;

/** The events of the response to a message, in the order of the stream. It ends with `message`, `error` or `later`. */
export type ChatReplyEvent =
  /** The run is stored. The owner of the session can also fetch the reply by this receipt. */
  | { event: 'started'; data: { receipt: string } }
  | { event: 'working'; data: Record<string, never> }
  /** The run waits: for an approval, a call or a time. */
  | { event: 'waiting'; data: Record<string, never> }
  /**
   * A preview of the reply that a model is writing. `text` continues it at position `at`, in UTF-16 units; 0 begins a
   * new reply.
   */
  | { event: 'partial'; data: { at: number; text: string } }
  | { event: 'message'; data: ChatReply }
  /** There is no reply: `message` tells the reader why. */
  | { event: 'error'; data: { message: string } }
  /** The run continues, but this response ends: the client asks again by the receipt. */
  | { event: 'later'; data: Record<string, never> };

/** `json`: the text is JSON, which is shown as it is. */
export interface ChatReply {
  format: 'markdown' | 'json';
  text: string;
}
