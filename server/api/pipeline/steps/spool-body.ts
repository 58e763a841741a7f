import type { IncomingCall } from '@/server/api/operation/incoming';
import { bodyTooLargeProblem, spoolToDisk, type SpooledFile, type SpoolOptions } from '@/server/data/files/spool';

/** Writes the body of a request to a temporary file; refuses it unread if it announces more than `limit` bytes. */
export async function spoolRequestBody(
  incoming: IncomingCall,
  options: SpoolOptions,
  streamBody: (max: number) => AsyncIterable<Uint8Array> = incoming.streamBody,
): Promise<SpooledFile> {
  const { limit } = options;
  if (Number(incoming.headers.get('content-length')) > limit) {
    throw bodyTooLargeProblem(limit);
  }
  return spoolToDisk(streamBody(limit), options);
}
