/** Status values without their schemas, so that the browser does not load zod for them. */
export const WORKFLOW_STATUSES = ['draft', 'active', 'paused'] as const;

export const EXECUTION_STATUSES = ['pending', 'running', 'completed', 'failed', 'paused'] as const;

export const TRIGGER_TYPES = [
  'manual',
  'webhook',
  'schedule',
  'form',
  'chat',
  'poll',
  'sub_workflow',
  'rerun',
  'error',
  'test',
] as const;

/** completed and failed are final states. */
export const isFinalStatus = (status: string) => status === 'completed' || status === 'failed';

/** The finished runs whose data a workflow keeps. */
export const SAVE_DATA_MODES = ['all', 'failed', 'none'] as const;

/** The events that an alert can report. */
export const ALERT_EVENTS = [
  'run_failed',
  'run_recovered',
  'first_failure',
  'schedule_missed',
  'credential_expired',
] as const;
