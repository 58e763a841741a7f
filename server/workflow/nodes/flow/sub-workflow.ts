import { z } from 'zod';
import { completeNode, defineNodeType } from '../node-type';
import { createNodeFailure } from '@/server/platform/errors/node-failure';
import { largeValueField, literalField, workflowReference, requiredField } from '../field-traits';

/** Delay between two attempts to start a run that the rate limit refused. */
const MAX_START_BACKOFF_MS = 300_000;

export const subWorkflowNodeType = defineNodeType({
  type: 'sub_workflow',
  title: 'Sub-workflow',
  summary: 'Runs another workflow of the workspace, and waits for its result.',
  synonyms: ['execute workflow', 'call workflow', 'run workflow', 'subflow', 'child', 'reuse', 'nested', 'module'],
  category: 'logic',
  config: z.strictObject({
    workflowId: z
      .string()
      .max(100)
      .optional()
      .apply(requiredField)
      .meta({ apiDescription: 'Which workflow is run', title: 'Workflow' })
      .apply(workflowReference),
    startNodeId: z.string().min(1).max(100).optional().apply(literalField).meta({
      title: 'Starts at',
      description: 'Id of a start node of that workflow. Empty: its runs begin at every start node.',
      'x-editor': 'start-node',
    }),
    input: z.unknown().optional().apply(largeValueField).meta({
      title: 'Input',
      description: 'Empty: the node’s input is passed on.',
      'x-editor': 'json',
    }),
    wait: z.boolean().optional().meta({
      title: 'Wait for its end',
      description: 'Off: continues at once with {executionId}.',
      default: true,
    }),
  }),
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  timesItself: true,
  tool: {
    arguments: {
      about: ({ workflowId, startNodeId }) =>
        typeof workflowId === 'string' && !workflowId.includes('{{')
          ? {
              resource: 'workflow',
              id: workflowId,
              startNodeId: typeof startNodeId === 'string' ? startNodeId : null,
            }
          : undefined,
      schema: (_, facts) => facts?.inputSchema,
      // The arguments are its input, which it passes on.
      merge: (given) => given,
    },
  },
  async run(context) {
    const { config, written, input, child, waitingSince, timeoutMs, startChild, log } = context;
    const { workflowId = '', startNodeId = null, wait = true } = config;
    if (child?.status === 'completed') return completeNode(child.output);
    if (child) {
      const { code, message } = child.error;
      throw createNodeFailure(
        'SUB_WORKFLOW',
        { executionId: child.executionId, code, problem: message },
        { isRetriable: true },
      );
    }
    const now = Date.now();
    const since = waitingSince?.getTime() ?? now;
    const deadline = timeoutMs === undefined ? null : new Date(since + timeoutMs);
    if (waitingSince && timeoutMs !== undefined && since + timeoutMs <= now) {
      throw createNodeFailure('TIMEOUT', { subject: 'The sub-workflow', timeoutMs }, { isRetriable: true });
    }
    const childInput = written['input'] === undefined ? input : (config.input ?? null);
    const started = await startChild({ workflowId, startNodeId, input: childInput, isAwaited: wait });
    if ('retryAfterMs' in started) {
      if (!waitingSince) log('info', 'Waiting for the rate limit of the workspace');
      const retryAt = new Date(now + startBackoff(now - since, started.retryAfterMs));
      return { kind: 'wait', until: deadline && deadline < retryAt ? deadline : retryAt, forDecision: false };
    }
    const { executionId } = started;
    if (!wait) return completeNode({ executionId });
    return { kind: 'wait', until: deadline, forDecision: false, held: { childId: executionId } };
  },
});

/** Safety net with a growing interval (half of the time waited so far), because many nodes may be waiting. */
const startBackoff = (waitedMs: number, retryAfterMs: number) =>
  Math.min(Math.max(waitedMs / 2, retryAfterMs), MAX_START_BACKOFF_MS);
