import LinkHeader from 'http-link-header';
import { NodeFailure } from '@/server/errors/node-failure';

/** Longer headers are not searched: they are parsed on the main thread. */
const MAX_LENGTH = 16_384;

/** The address with rel="next" of a Link header (RFC 8288). Throws NodeFailure BAD_RESPONSE if the header is malformed. */
export function nextLink(header: string | undefined): string | undefined {
  if (!header) return undefined;
  try {
    if (header.length > MAX_LENGTH) throw new Error('it is too long');
    return LinkHeader.parse(header).rel('next')[0]?.uri;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NodeFailure('BAD_RESPONSE', `The Link header of the answer cannot be read: ${reason}`, false);
  }
}
