/**
 * The words for states without the schemas that check them: the browser needs the words, and would otherwise load zod for
 * them.
 */
export const WORKFLOW_STATUSES = ['draft', 'active', 'paused'] as const;

export const EXECUTION_STATUSES = ['pending', 'running', 'completed', 'failed', 'paused'] as const;

export const TRIGGERS = ['manual', 'webhook', 'schedule', 'sub_workflow', 'rerun'] as const;

/** completed and failed are final: nothing of such an execution changes any more. */
export const isFinal = (status: string) => status === 'completed' || status === 'failed';
