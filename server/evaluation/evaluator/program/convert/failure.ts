import { NodeFailure } from '@/server/platform/errors/node-failure';
import { FREE_EXPANSION_BYTES, MAX_CONVERTED_BYTES, MAX_EXPANSION_RATIO } from '../../convert-job';
import { BYTES_PER_MIB } from '@/contract/units';

/** The failure of content that does not have its format. The message says where, if that is known. */
export const unreadableContent = (message: string): NodeFailure => new NodeFailure('CONVERT_FAILED', message, false);

/** The number of bytes that compressed content of this size may expand to. */
export const maxExpandedBytes = (size: number): number =>
  Math.min(MAX_CONVERTED_BYTES, Math.max(FREE_EXPANSION_BYTES, MAX_EXPANSION_RATIO * size));

/** The failure of content that expands to more than its size allows. */
export function expansionFailure(what: string, size: number): NodeFailure {
  const most =
    maxExpandedBytes(size) < MAX_CONVERTED_BYTES
      ? `${MAX_EXPANSION_RATIO} times its size`
      : `${MAX_CONVERTED_BYTES / BYTES_PER_MIB} MiB`;
  return new NodeFailure('EXPANSION_LIMIT', `${what} expands to more than ${most}.`, false);
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
