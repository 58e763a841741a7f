import type { FailedHttpResponse } from '@/contract/execution';
import type { ValueRedactor } from '@/server/evaluation/redaction/redactor';
import type { OutboundResponse } from './outbound';
import { isTextBody, showBodyText } from '@/server/evaluation/evaluator/read-body';

/** The number of bytes of a body that are examined. A secret may cross their end, so the last of them are not shown. */
const MAX_EXAMINED_BYTES = 65_536;
const HIDDEN_TAIL_LENGTH = 16_384;
const MAX_BODY_EXCERPT = 2000;
const MAX_HEADER_EXCERPT = 300;
const MAX_EXCERPT_HEADERS = 40;

const shortenText = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/**
 * A short text of a response without secrets. They are redacted before the text is cut, because half of a secret would
 * not be found.
 */
export function summarizeResponse(
  { status, headers, body }: OutboundResponse,
  secrets: ValueRedactor,
): FailedHttpResponse {
  const shown = (value: string) => shortenText(secrets.text(value), MAX_HEADER_EXCERPT);
  const firstHeaders = Object.entries(headers).slice(0, MAX_EXCERPT_HEADERS);
  return {
    status,
    headers: Object.fromEntries(
      firstHeaders.map(([name, value]) => [
        secrets.text(name),
        Array.isArray(value) ? value.slice(0, MAX_EXCERPT_HEADERS).map(shown) : shown(value),
      ]),
    ),
    body: bodyExcerpt(body, headers['content-type'] ?? '', secrets),
  };
}

function bodyExcerpt(body: Buffer, type: string, secrets: ValueRedactor): string | null {
  if (!isTextBody(body, type)) return null;
  const text = secrets.text(showBodyText(body.subarray(0, MAX_EXAMINED_BYTES), type));
  return shortenText(
    body.length > MAX_EXAMINED_BYTES ? `${text.slice(0, -HIDDEN_TAIL_LENGTH)}…` : text,
    MAX_BODY_EXCERPT,
  );
}
