/** Status values without their schemas, so that the browser does not load zod for them. */
export const WORKFLOW_STATUSES = ['draft', 'active', 'paused'] as const;

export const EXECUTION_STATUSES = ['pending', 'running', 'completed', 'failed', 'paused'] as const;

export const TRIGGERS = [
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
export const isFinal = (status: string) => status === 'completed' || status === 'failed';

/** The finished runs whose data a workflow keeps. */
export const SAVE_DATA = ['all', 'failed', 'none'] as const;

/** What alerts tell of. */
export const ALERT_EVENTS = [
  'run_failed',
  'run_recovered',
  'first_failure',
  'schedule_missed',
  'credential_expired',
] as const;
