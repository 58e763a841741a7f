import type { Incoming } from '@/server/api/incoming';
import { refuseSize, spool, type Spool, type SpoolOptions } from '@/server/files/spool';

/** Writes the body of a request to a temporary file; refuses it unread if it announces more than `limit` bytes. */
export async function spoolBody(
  incoming: Incoming,
  options: SpoolOptions,
  streamBody: (max: number) => AsyncIterable<Uint8Array> = incoming.streamBody,
): Promise<Spool> {
  const { limit } = options;
  if (Number(incoming.headers.get('content-length')) > limit) {
    throw refuseSize(limit);
  }
  return spool(streamBody(limit), options);
}
