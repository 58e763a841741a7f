import { NodeFailure } from '@/server/errors/node-failure';
import { FREE_EXPANSION_BYTES, MAX_CONVERTED_BYTES, MAX_EXPANSION } from '../../convert-job';

/** Content that is not what it should be. The message says where, if that is known. */
export const unreadable = (message: string): NodeFailure => new NodeFailure('CONVERT_FAILED', message, false);

const MIB = 1024 * 1024;

/** Bytes that compressed content of this size may expand to. */
export const expansionLimit = (size: number): number =>
  Math.min(MAX_CONVERTED_BYTES, Math.max(FREE_EXPANSION_BYTES, MAX_EXPANSION * size));

/** Content of this size that becomes far larger. */
export function expandsTooFar(what: string, size: number): NodeFailure {
  const most =
    expansionLimit(size) < MAX_CONVERTED_BYTES ? `${MAX_EXPANSION} times its size` : `${MAX_CONVERTED_BYTES / MIB} MiB`;
  return new NodeFailure('EXPANSION_LIMIT', `${what} expands to more than ${most}.`, false);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
