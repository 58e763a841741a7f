import type { FailureRecord } from './failure-record';

/** What fails around nodes: their run, its process, and the runs that they start. */
export const RUN_FAILURES = {
  MAX_ROUNDS: {
    title: 'The loop did not finish',
    advice: 'Check the expression “Until”, or raise the number of rounds.',
    parameters: { maxRounds: 'number' },
    sentence: 'The loop is not done after {maxRounds} rounds.',
  },
  SUB_WORKFLOW: {
    title: 'The sub-workflow failed',
    advice: 'Open the run of the sub-workflow to see its error.',
    parameters: { executionId: 'text', code: 'text', problem: 'text' },
    sentence: '{executionId} failed with {code}: {problem}',
  },
  TOO_DEEP: {
    title: 'Sub-workflows are nested too deeply',
    advice: 'Check whether a workflow runs itself.',
    parameters: { maxDepth: 'number' },
    sentence: 'Sub-workflows may be nested {maxDepth} deep; does one of them run itself?',
  },
  TOO_MANY_RUNS: { title: 'The run started too many runs', advice: 'Check whether a workflow runs itself.' },
  WORKFLOW_NOT_FOUND: {
    title: 'The workflow does not exist',
    advice: 'Choose another workflow.',
    parameters: { workflowId: 'text' },
    sentence: 'The workspace has no workflow {workflowId}.',
  },
  WORKFLOW_NOT_READY: { title: 'The workflow can’t run', advice: 'Open the workflow and see its checks.' },
  WORKFLOW_INPUT: { title: 'The workflow refuses its input', advice: 'Pass the fields that its start node requires.' },
  RUN_QUOTA: {
    title: 'The quota of stored runs is used up',
    advice: 'Reduce the retention of runs, or delete workflows.',
  },
  CONCURRENCY_LIMIT: {
    title: 'Too many runs are in progress',
    advice: 'Raise the limit of concurrent runs, or set retries for the node.',
  },
  EXPIRED: {
    title: 'The approval expired',
    advice: 'Raise the expiry of the approval, or let it continue at the port “rejected”.',
  },
  NOT_MOCKED: {
    title: 'The test has no output for this node',
    advice: 'A test calls nothing outside. Give the node a mock in the test.',
  },
  ABORTED: { title: 'The node was stopped', advice: 'The run was cancelled, or the service stopped.' },
  OUTCOME_UNKNOWN: {
    title: 'The outcome is unknown',
    advice:
      'The service stopped during a node that runs at most once. Check at the other service, then run from the next node.',
  },
  CRASHED: {
    title: 'The process crashed',
    advice: 'A running node may need more memory than available. Process less data at a time.',
  },
  RUN_UNREADABLE: { title: 'The stored state of the run cannot be read', advice: 'Start the workflow again.' },
  CANCELLED: {
    title: 'Stopped before the end',
    advice: 'The run was cancelled, or another node of it failed.',
  },
  INTERNAL: {
    title: 'The service has a fault',
    advice: 'Run again. If it happens again, tell the operator of the service.',
  },
} as const satisfies Record<string, FailureRecord>;
