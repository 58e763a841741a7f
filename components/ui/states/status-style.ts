import {
  IconAlertTriangle,
  IconArrowBearRight,
  IconCheck,
  IconClock,
  IconEye,
  IconHandStop,
  IconLoader2,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  type Icon,
} from '@tabler/icons-react';
import type { ExecutionStatus, NodeStatus } from '@/contract/execution';
import type { WorkflowStatus } from '@/contract/workflows/workflow';

/** How a status is shown: with a label and an icon besides the colour, for colour-blind people. */
export interface StatusStyle {
  label: string;
  icon: Icon;
  /** One of the tones of tokens.css: `--weft-<tone>` and `--weft-<tone>-soft`. */
  tone: 'running' | 'done' | 'failed' | 'waiting' | 'idle';
  isMoving?: boolean;
}

export const RUN_STATUS_STYLE: Record<ExecutionStatus | NodeStatus, StatusStyle> = {
  pending: { label: 'Queued', icon: IconClock, tone: 'idle' },
  running: { label: 'Running', icon: IconLoader2, tone: 'running', isMoving: true },
  completed: { label: 'Done', icon: IconCheck, tone: 'done' },
  failed: { label: 'Failed', icon: IconAlertTriangle, tone: 'failed' },
  paused: { label: 'Waiting', icon: IconHandStop, tone: 'waiting' },
  skipped: { label: 'Skipped', icon: IconArrowBearRight, tone: 'idle' },
};

/** Results of a preview, which no run has computed. */
export const PREVIEW_STYLE: Partial<Record<NodeStatus, StatusStyle>> = {
  completed: { label: 'Preview', icon: IconEye, tone: 'idle' },
  failed: { label: 'Preview: fails', icon: IconAlertTriangle, tone: 'failed' },
  skipped: { label: 'Preview: skipped', icon: IconArrowBearRight, tone: 'idle' },
};

/** A node that a preview leaves out and passes, with the documented example of what it calls. */
export const EXAMPLE_STYLE: StatusStyle = { label: 'Example', icon: IconEye, tone: 'idle' };

/** A node that a preview leaves out, because it acts outside. */
export const NOT_RUN_STYLE: StatusStyle = { label: 'Not run', icon: IconPlayerPause, tone: 'idle' };

export const WORKFLOW_STATUS_STYLE: Record<WorkflowStatus, StatusStyle> = {
  draft: { label: 'Draft', icon: IconPencil, tone: 'idle' },
  active: { label: 'Live', icon: IconPlayerPlay, tone: 'done' },
  paused: { label: 'Paused', icon: IconPlayerPause, tone: 'waiting' },
};
