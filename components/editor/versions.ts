import type { WorkflowVersion } from '@/contract/workflow';

/** Saves further apart than this are two pieces of work. */
const PAUSE_MS = 30 * 60_000;

/**
 * Versions, newest first, as pieces of work: saves that one person made in a row, without a word about any of them. The
 * first of each is what the work came to.
 */
export function piecesOf(versions: readonly WorkflowVersion[]): WorkflowVersion[][] {
  const pieces: WorkflowVersion[][] = [];
  for (const version of versions) {
    const piece = pieces.at(-1);
    const later = piece?.at(-1);
    if (piece && later && belongs(version, later)) piece.push(version);
    else pieces.push([version]);
  }
  return pieces;
}

const belongs = (version: WorkflowVersion, later: WorkflowVersion): boolean =>
  version.message === '' &&
  later.message === '' &&
  version.createdBy === later.createdBy &&
  Date.parse(later.createdAt) - Date.parse(version.createdAt) <= PAUSE_MS;
