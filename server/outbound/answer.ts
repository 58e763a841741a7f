import type { Answer } from '@/contract/execution';
import type { Redactor } from '@/server/redaction/redactor';
import type { OutboundResponse } from './outbound';
import { isReadable, shownText } from '@/server/evaluation/read-body';

/** Bytes of a body that are examined; a secret may cross their end, so the last of them are not shown. */
const MAX_READ = 65_536;
const HIDDEN_TAIL = 16_384;
const MAX_BODY = 2000;
const MAX_HEADER = 300;
const MAX_HEADERS = 40;

const short = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** A short text of a response without secrets. They are redacted before the text is cut, because half of a secret would not be found. */
export function answerOf({ status, headers, body }: OutboundResponse, secrets: Redactor): Answer {
  const shown = (value: string) => short(secrets.text(value), MAX_HEADER);
  const firstHeaders = Object.entries(headers).slice(0, MAX_HEADERS);
  return {
    status,
    headers: Object.fromEntries(
      firstHeaders.map(([name, value]) => [
        secrets.text(name),
        Array.isArray(value) ? value.slice(0, MAX_HEADERS).map(shown) : shown(value),
      ]),
    ),
    body: beginningOf(body, headers['content-type'] ?? '', secrets),
  };
}

function beginningOf(body: Buffer, type: string, secrets: Redactor): string | null {
  if (!isReadable(body, type)) return null;
  const text = secrets.text(shownText(body.subarray(0, MAX_READ), type));
  return short(body.length > MAX_READ ? `${text.slice(0, -HIDDEN_TAIL)}…` : text, MAX_BODY);
}
