import { z } from 'zod';
import { MailFailure, sendMail } from '../mail';
import { done, NodeFailure, nodeKind, type RunContext } from './node';

const YEAR_MS = 365 * 86_400_000;

const TITLE_LENGTH = 100;

/** Sends somebody the page where they decide. They can as well decide in the web app, so a failure stops nothing. */
async function invite(
  to: string,
  message: string,
  until: Date | null,
  { workspaceId, decisionLink, log }: Pick<RunContext<unknown>, 'workspaceId' | 'decisionLink' | 'log'>,
): Promise<void> {
  const [title = ''] = message.trim().split('\n', 1);
  const text = [
    message || 'A workflow waits for your decision.',
    `Approve or reject here: ${decisionLink(to, until)}`,
    ...(until ? [`This can be decided until ${until.toISOString()}.`] : []),
  ];
  const subject = title ? `Please decide: ${title.slice(0, TITLE_LENGTH)}` : 'Please decide';
  try {
    await sendMail({ workspaceId, to: [to], subject, text: text.join('\n\n') });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log('warn', `The mail to ${to} could not be sent: ${error.message}`);
  }
}

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
  seesInput: false,
  outputs: ['approved', 'rejected'],
  credentialTypes: [],
  // Whoever is to decide gets a mail.
  isOutside: ({ assignees }) => assignees !== undefined && !(Array.isArray(assignees) && assignees.length === 0),
  async run(context) {
    const { config, decision, waitingSince, log } = context;
    if (decision) return done({ ...decision }, decision.decision);
    const until = config.expiresInMs && new Date((waitingSince ?? new Date()).getTime() + config.expiresInMs);
    if (!until || until.getTime() > Date.now()) {
      const { message = '', assignees = [] } = config;
      if (!waitingSince) {
        log('info', message ? `Waiting for approval: ${message}` : 'Waiting for approval');
        await Promise.all(assignees.map((to) => invite(to, message, until || null, context)));
      }
      return { kind: 'wait', until: until || null, forDecision: true, held: { message, assignees } };
    }
    if (config.onExpire === 'fail') throw new NodeFailure('EXPIRED', 'Nobody decided in time.', false);
    log('warn', 'Nobody decided in time: rejected');
    return done({ decision: 'rejected', comment: null, decidedBy: null, decidedAt: until.toISOString() }, 'rejected');
  },
});
