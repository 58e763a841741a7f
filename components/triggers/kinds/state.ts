import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { TriggerState } from './kind';

/** All triggers of a workflow. */
export const TRIGGER_LIST_QUERY = { limit: '100' };

/** Who may use the page of a trigger. */
export const PAGE_ACCESS_LABELS = { public: 'For anyone', members: 'For members' };

/** The last calls and next times are read again after this number of milliseconds. */
export const TRIGGER_REFRESH_MS = 30_000;

/** The state of a trigger, by its own switch and the status of its workflow. */
export function resolveTriggerState(isEnabled: boolean, status: WorkflowStatus): TriggerState {
  if (!isEnabled) return 'disabled';
  if (status === 'active') return 'enabled';
  return status === 'draft' ? 'draft' : 'inactive';
}

/** How the states look on the canvas. */
export const TRIGGER_STATE_STYLE: Record<TriggerState, { label: string; tone: 'done' | 'waiting' | 'idle' }> = {
  takingCalls: { label: 'Takes calls', tone: 'done' },
  enabled: { label: 'Live', tone: 'done' },
  disabled: { label: 'Off', tone: 'idle' },
  draft: { label: 'Draft', tone: 'idle' },
  inactive: { label: 'Paused', tone: 'waiting' },
};

/** What a schedule says about its next time. */
export function nextRunNote(state: TriggerState, next: string | null): string {
  if (state === 'disabled') return 'Never starts';
  if (state !== 'enabled') return 'Starts once live';
  return next === null ? 'Never starts' : `Next: ${next}`;
}
