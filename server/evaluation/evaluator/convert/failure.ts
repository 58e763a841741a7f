import { NodeFailure } from '@/server/errors/node-failure';
import { MAX_CONVERTED_BYTES } from '../../convert-job';

/** Content that is not what it should be. The message says where, if that is known. */
export const unreadable = (message: string): NodeFailure => new NodeFailure('CONVERT_FAILED', message, false);

const MIB = 1024 * 1024;

/** Content that becomes far larger than it is. */
export const expandsTooFar = (what: string): NodeFailure =>
  new NodeFailure('EXPANSION_LIMIT', `${what} expands to more than ${MAX_CONVERTED_BYTES / MIB} MiB.`, false);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
