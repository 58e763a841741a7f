import type { CallHeaders } from './call-headers';
import { invalidField } from './problem';

/**
 * The version that the caller believes to change: `If-Match: "7"` or the body's `version`. Undefined: whatever is
 * there now. `*` matches anything.
 */
export function expectedVersion(headers: CallHeaders, fromBody: number | undefined): number | undefined {
  const header = headers.get('if-match')?.trim();
  if (header === undefined || header === '*') return fromBody;
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header);
  if (!match) throw invalidField('If-Match', 'must be a version number, as in ETag');
  return Number(match[1]);
}

/** `ETag` of an answer that carries a version. */
export const etag = ({ version }: { version: number }): Record<string, string> => ({ ETag: `"${version}"` });
