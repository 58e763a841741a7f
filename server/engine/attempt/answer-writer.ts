import type { AnswerText } from '@/server/dispatch/events';
import { answerTexts } from '../answers/answer-texts';
import type { NodeInstance } from '../run/frame';
import type { SecretRedactor } from './secret-redactor';

/** Milliseconds between two pieces of an answer. */
const PACE_MS = 150;
/** Milliseconds after which an answer is sent from its beginning again, for callers that came later or missed a piece; a long one is not. */
const REPEAT_MS = 2000;
const MAX_REPEATED = 10_000;
/** UTF-16 units of an answer that are shown while it is written. */
const MAX_UNITS = 100_000;

type Write = (piece: AnswerText) => void;

/** Whether the text of a node is the answer of its run: it is the last node, alone or as the steps of an agent, or a `respond` node follows. */
export function writesAnswer({ node, frame: { owner } }: NodeInstance): boolean {
  if (owner) return node.part !== undefined && owner.frame.owner === null && writesAnswer(owner);
  return node.outgoing.every(({ port, target }) => port === 'error' || target.kind?.answersCaller === true);
}

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
    const secrets = redactor.all;
    const next = secrets.length === 0 ? text : redactor.text(withoutBeginning(withoutLastWord(text), secrets));
    const isRepeated = now >= repeatAt && next.length <= MAX_REPEATED;
    const at = isRepeated ? 0 : sharedLength(shown, next);
    if (at === next.length) return;
    if (isRepeated) repeatAt = now + REPEAT_MS;
    dueAt = now + PACE_MS;
    shown = next;
    write({ executionId, at, text: next.slice(at) });
  };
}

const withoutLastWord = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1);

/** Without the beginning of a secret at the end. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  let end = text.length;
  for (const secret of secrets) {
    if (!/\s/.test(secret)) continue;
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
      if (text.endsWith(secret.slice(0, length))) {
        end = Math.min(end, text.length - length);
        break;
      }
  }
  return text.slice(0, end);
}

/** The length of the beginning that two texts share: a secret that has become complete changes what was shown before. */
function sharedLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let length = 0;
  while (length < end && one[length] === other[length]) length += 1;
  return length;
}
