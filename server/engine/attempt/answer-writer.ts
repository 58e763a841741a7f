import type { ReplyTextPiece } from '@/server/platform/dispatch/events';
import { replyTextRelay } from '../answers/reply-text-relay';
import type { SecretRedactor } from './secret-redactor';

/** Milliseconds between two pieces of a reply. */
const REPLY_PIECE_INTERVAL_MS = 150;
/**
 * Milliseconds after which a reply is sent from its beginning again, for callers that came later or missed a piece.
 * Long replies are not.
 */
const FULL_REPLY_INTERVAL_MS = 2000;
const MAX_REPEATED_REPLY = 10_000;
/** Maximum length of a reply that is shown while the model writes it, in UTF-16 units. */
const MAX_SHOWN_REPLY = 100_000;

type WriteReplyPiece = (piece: ReplyTextPiece) => void;

/**
 * Shows the reply that a model has written so far to the callers that wait for the response of its run. The redactor
 * does not find half of a secret, so the last word is held until it is complete, and so is text that may be the
 * beginning of a secret of several words.
 */
export function createReplyWriter(
  executionId: string,
  redactor: Pick<SecretRedactor, 'text' | 'all'>,
  write: WriteReplyPiece = (piece) => replyTextRelay().publishPiece(piece),
): (text: string) => void {
  let shown = '';
  let dueAt = 0;
  let repeatAt = performance.now() + FULL_REPLY_INTERVAL_MS;
  return (text) => {
    const now = performance.now();
    if (now < dueAt || text.length > MAX_SHOWN_REPLY) return;
    // The next piece waits even if this one shows nothing, because a model may send any number of pieces.
    dueAt = now + REPLY_PIECE_INTERVAL_MS;
    const secrets = redactor.all;
    const next = secrets.length === 0 ? text : redactor.text(dropSecretBeginning(dropLastWord(text), secrets));
    const isRepeated = now >= repeatAt && next.length <= MAX_REPEATED_REPLY;
    const at = isRepeated ? 0 : sharedBeginningLength(shown, next);
    if (at === next.length) return;
    if (isRepeated) repeatAt = now + FULL_REPLY_INTERVAL_MS;
    shown = next;
    write({ executionId, at, text: next.slice(at) });
  };
}

const dropLastWord = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1);

/** Removes the beginning of a secret from the end of a text. */
function dropSecretBeginning(text: string, secrets: readonly string[]): string {
  const lengths = secrets.map((secret) => (/\s/.test(secret) ? secretPrefixAtEnd(text, secret) : 0));
  return text.slice(0, text.length - Math.max(0, ...lengths));
}

/**
 * Counts the characters at the end of a text that are the beginning of a secret, but not all of it. Uses
 * Knuth–Morris–Pratt, in linear time.
 */
function secretPrefixAtEnd(text: string, secret: string): number {
  // For each beginning of the secret, the number of characters at its end that are a shorter beginning.
  const borders = new Uint32Array(secret.length);
  const longer = (border: number, character: string | undefined) => {
    let length = border;
    while (length > 0 && secret[length] !== character) length = borders[length - 1] ?? 0;
    return secret[length] === character ? length + 1 : length;
  };
  for (let at = 1; at < secret.length; at += 1) borders[at] = longer(borders[at - 1] ?? 0, secret[at]);
  let length = 0;
  for (let at = Math.max(0, text.length - secret.length + 1); at < text.length; at += 1)
    length = longer(length, text[at]);
  return length;
}

/**
 * The length of the beginning that two texts share: a secret that has become complete changes what was shown before.
 */
function sharedBeginningLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}
