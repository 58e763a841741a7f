import { z } from 'zod';
import { done, NodeFailure, nodeKind } from './node';

const YEAR_MS = 365 * 86_400_000;

export const approval = nodeKind({
  type: 'approval',
  title: 'Approval',
  summary: 'Pauses the run until somebody approves or rejects.',
  category: 'human',
  config: z.strictObject({
    message: z.string().max(10_000).optional().meta({
      title: 'Message',
      description: 'What is to be decided.',
      'x-editor': 'multiline',
    }),
    assignees: z.array(z.email()).max(100).optional().meta({
      title: 'Assignees',
      description: 'Emails of those who may decide, besides admins and owners. Empty: everybody who may resume runs.',
      'x-editor': 'email-list',
    }),
    expiresInMs: z.number().int().min(1).max(YEAR_MS).optional().meta({
      title: 'Expires after',
      description: 'Milliseconds; empty: never.',
      'x-editor': 'duration',
    }),
    onExpire: z.enum(['reject', 'fail']).optional().meta({ title: 'When it expires', default: 'reject' }),
  }),
  required: [],
  expressions: [],
  hasInput: true,
  outputs: ['approved', 'rejected'],
  credentialTypes: [],
  isOutside: false,
  async run({ config, decision, waitingSince, log }) {
    if (decision) return done({ ...decision }, decision.decision);
    const until = config.expiresInMs && new Date((waitingSince ?? new Date()).getTime() + config.expiresInMs);
    if (!until || until.getTime() > Date.now()) {
      if (!waitingSince) log('info', config.message ? `Waiting for approval: ${config.message}` : 'Waiting for approval');
      return { kind: 'wait', until: until || null, forDecision: true };
    }
    if (config.onExpire === 'fail') throw new NodeFailure('EXPIRED', 'Nobody decided in time.', false);
    log('warn', 'Nobody decided in time: rejected');
    return done({ decision: 'rejected', comment: null, decidedBy: null, decidedAt: until.toISOString() }, 'rejected');
  },
});
