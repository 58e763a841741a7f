import type { CallHeaders } from '@/server/platform/messages/client-address';

/** Both tags without their sign of weakness: reads compare weakly (RFC 9110, 13.1.2). */
const opaqueEntityTag = (tag: string) => tag.trim().replace(/^W\//, '');

/** Whether the caller has the answer with this `ETag` already: `If-None-Match` lists it, or is `*`. */
export function matchesEntityTag(headers: CallHeaders, tag: string): boolean {
  const known = headers.get('if-none-match');
  if (known === null) return false;
  // No tag of this service has a comma in it.
  return known.trim() === '*' || known.split(',').some((one) => opaqueEntityTag(one) === opaqueEntityTag(tag));
}
