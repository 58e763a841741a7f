import { z } from 'zod';
import { done, NodeFailure, nodeKind } from './node';

export const subWorkflow = nodeKind({
  type: 'sub_workflow',
  title: 'Sub-workflow',
  summary: 'Runs another workflow of the workspace, and waits for what it comes to.',
  category: 'logic',
  config: z.strictObject({
    workflowId: z.string().max(100).optional().meta({ title: 'Workflow', 'x-editor': 'workflow' }),
    input: z.unknown().optional().meta({
      title: 'Input',
      description: 'Empty: what comes in is handed on.',
      'x-editor': 'json',
    }),
    wait: z.boolean().optional().meta({
      title: 'Wait for its end',
      description: 'Off: goes on at once, with {executionId}.',
      default: true,
    }),
  }),
  required: ['workflowId'],
  expressions: [],
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  timesItself: true,
  async run({
    config: { workflowId = '', wait = true, ...config },
    written,
    input,
    child,
    waitingSince,
    timeoutMs,
    startChild,
  }) {
    if (child?.status === 'completed') return done(child.output);
    if (child) {
      const { code, message } = child.error;
      throw new NodeFailure('SUB_WORKFLOW', `${child.executionId} failed with ${code}: ${message}`);
    }
    if (waitingSince) throw new NodeFailure('TIMEOUT', `The sub-workflow took longer than ${timeoutMs} ms.`);
    const given = written['input'] === undefined ? input : (config.input ?? null);
    const executionId = await startChild({ workflowId, input: given, isAwaited: wait });
    if (!wait) return done({ executionId });
    const until = timeoutMs === undefined ? null : new Date(Date.now() + timeoutMs);
    return { kind: 'wait', until, forDecision: false, held: { childId: executionId } };
  },
});
