import { invalidFieldProblem } from '@/server/platform/errors/problem';
import type { CallHeaders } from '@/server/platform/messages/client-address';

/**
 * The version that the caller expects to change (optimistic concurrency): `If-Match: "7"` or the body's `version`.
 * Undefined: the current one. `*` matches any.
 */
export function readExpectedVersion(headers: CallHeaders, fromBody: number | undefined): number | undefined {
  const header = headers.get('if-match')?.trim();
  if (header === undefined || header === '*') return fromBody;
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header);
  if (!match) throw invalidFieldProblem('If-Match', 'must be a version number, as in ETag');
  return Number(match[1]);
}

/** The `ETag` header of an answer with a version. */
export const versionEtagHeader = ({ version }: { version: number }): Record<string, string> => ({
  ETag: `"${version}"`,
});
