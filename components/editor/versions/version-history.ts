import { IconCheck, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { WorkflowDraft } from '@/contract/workflows/workflow';
import type { WorkflowVersion } from '@/contract/workflows/workflow-version';
import type { StatusStyle } from '@/components/ui/states/status-style';

/** A pause longer than this starts a new group. */
const NEW_GROUP_PAUSE_MS = 30 * 60_000;

/**
 * Groups versions (newest first) into consecutive saves of one person without messages. The first of each group is its
 * last save. A published version starts a new group.
 */
export function groupConsecutiveSaves(versions: readonly WorkflowVersion[]): WorkflowVersion[][] {
  const groups: WorkflowVersion[][] = [];
  for (const version of versions) {
    const group = groups.at(-1);
    const later = group?.at(-1);
    if (group && later && isInSameSaveGroup(version, later)) group.push(version);
    else groups.push([version]);
  }
  return groups;
}

const isInSameSaveGroup = (version: WorkflowVersion, later: WorkflowVersion): boolean =>
  version.publishedAt === null &&
  version.message === '' &&
  later.message === '' &&
  version.createdBy === later.createdBy &&
  Date.parse(later.createdAt) - Date.parse(version.createdAt) <= NEW_GROUP_PAUSE_MS;

/** The role of a version at present; undefined: an old version. */
export function versionStatusStyle(
  version: number,
  { status, draftVersion, liveVersion }: WorkflowDraft,
): StatusStyle | undefined {
  if (version === draftVersion) return { label: 'Not published', icon: IconPencil, tone: 'waiting' };
  if (version !== liveVersion) return undefined;
  if (status === 'active') return { label: 'Live', icon: IconPlayerPlay, tone: 'done' };
  if (status === 'paused') return { label: 'Published', icon: IconPlayerPause, tone: 'idle' };
  return { label: 'Current', icon: IconCheck, tone: 'idle' };
}
