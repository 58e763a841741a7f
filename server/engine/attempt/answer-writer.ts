import type { AnswerText } from '@/server/dispatch/events';
import { answerTexts } from '../answers/answer-texts';
import type { SecretRedactor } from './secret-redactor';

/** Milliseconds between two pieces of an answer. */
const PACE_MS = 150;
/** Milliseconds after which an answer is sent from its beginning again, for callers that came later or missed a piece; a long one is not. */
const REPEAT_MS = 2000;
const MAX_REPEATED = 10_000;
/** UTF-16 units of an answer that are shown while it is written. */
const MAX_UNITS = 100_000;

type Write = (piece: AnswerText) => void;

/**
 * Shows the text that a model has written so far to the callers that wait for the answer of its run. Half of a secret is not found by the
 * redactor, so the last word waits for its end, and so does what may be the beginning of a secret of several words.
 */
export function answerWriter(
  executionId: string,
  redactor: Pick<SecretRedactor, 'text' | 'all'>,
  write: Write = (piece) => answerTexts().write(piece),
): (text: string) => void {
  let shown = '';
  let dueAt = 0;
  let repeatAt = performance.now() + REPEAT_MS;
  return (text) => {
    const now = performance.now();
    if (now < dueAt || text.length > MAX_UNITS) return;
    // Also if there is nothing to show yet: a model may send any number of pieces.
    dueAt = now + PACE_MS;
    const secrets = redactor.all;
    const next = secrets.length === 0 ? text : redactor.text(withoutBeginning(withoutLastWord(text), secrets));
    const isRepeated = now >= repeatAt && next.length <= MAX_REPEATED;
    const at = isRepeated ? 0 : sharedLength(shown, next);
    if (at === next.length) return;
    if (isRepeated) repeatAt = now + REPEAT_MS;
    shown = next;
    write({ executionId, at, text: next.slice(at) });
  };
}

const withoutLastWord = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1);

/** Without the beginning of a secret at the end. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  const lengths = secrets.map((secret) => (/\s/.test(secret) ? beginningAtEnd(text, secret) : 0));
  return text.slice(0, text.length - Math.max(0, ...lengths));
}

/** How many characters at the end of a text are the beginning of a secret, but not all of it: by Knuth, Morris and Pratt, in linear time. */
function beginningAtEnd(text: string, secret: string): number {
  // Of each beginning of the secret: how many characters at its end are a shorter beginning.
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

/** The length of the beginning that two texts share: a secret that has become complete changes what was shown before. */
function sharedLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}
