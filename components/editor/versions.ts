import { IconCheck, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { WorkflowDraft, WorkflowVersion } from '@/contract/workflow';
import type { Look } from '../ui/status';

/** Saves further apart than this are two pieces of work. */
const PAUSE_MS = 30 * 60_000;

/**
 * Versions, newest first, as pieces of work: saves that one person made in a row, without a word about any of them. The
 * first of each is what the work came to. What was published begins a piece of its own.
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
  version.publishedAt === null &&
  version.message === '' &&
  later.message === '' &&
  version.createdBy === later.createdBy &&
  Date.parse(later.createdAt) - Date.parse(version.createdAt) <= PAUSE_MS;

/** What a version is to the workflow at present; undefined: nothing any more. */
export function lookOf(version: number, { status, draftVersion, liveVersion }: WorkflowDraft): Look | undefined {
  if (version === draftVersion) return { label: 'Not published', icon: IconPencil, tone: 'waiting' };
  if (version !== liveVersion) return undefined;
  if (status === 'active') return { label: 'Live', icon: IconPlayerPlay, tone: 'done' };
  if (status === 'paused') return { label: 'Published', icon: IconPlayerPause, tone: 'idle' };
  return { label: 'Current', icon: IconCheck, tone: 'idle' };
}
