import { z } from 'zod';
import { sendOutgoingMail } from '@/server/network/mail/mail';
import { MailFailure } from '@/server/network/mail/smtp';
import { completeNode, defineNodeType, type NodeRunContext } from '../node-type';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { literalField } from '../field-traits';
import { nodeFormFields } from './form-fields';

const MAX_APPROVAL_MS = 365 * 86_400_000;

const MAX_TITLE_LENGTH = 100;

/**
 * Mails an assignee the page for their decision. A failure is only logged, because they can also decide in the web app.
 */
async function mailAssignee(
  to: string,
  message: string,
  until: Date | null,
  { workspaceId, decisionLink, log }: Pick<NodeRunContext<unknown>, 'workspaceId' | 'decisionLink' | 'log'>,
): Promise<void> {
  const [title = ''] = message.trim().split('\n', 1);
  const text = [
    message || 'A workflow waits for your decision.',
    `Approve or reject here: ${decisionLink(to, until)}`,
    ...(until ? [`This can be decided until ${until.toISOString()}.`] : []),
  ];
  const subject = title ? `Please decide: ${title.slice(0, MAX_TITLE_LENGTH)}` : 'Please decide';
  try {
    await sendOutgoingMail({ workspaceId, to: [to], subject, text: text.join('\n\n') });
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    log('warn', `The mail to ${to} could not be sent: ${error.message}`);
  }
}

/** The fields of a decision. People decide by mail as well, without a session that could upload. */
const approvalFields = nodeFormFields.superRefine((fields, context) => {
  for (const [index, { kind }] of fields.entries()) {
    if (kind === 'file')
      context.addIssue({ code: 'custom', path: [index, 'kind'], message: 'cannot be file in an approval' });
  }
});

export const approvalNodeType = defineNodeType({
  type: 'approval',
  title: 'Approval',
  summary: 'Pauses the run until an assignee approves or rejects.',
  synonyms: [
    'approve',
    'human',
    'human in the loop',
    'review',
    'confirm',
    'ask',
    'decision',
    'wait for approval',
    'send and wait',
    'sign off',
    'manual',
    'person',
  ],
  category: 'human',
  config: z.strictObject({
    message: z.string().max(10_000).optional().meta({
      title: 'Message',
      description: 'The question to decide.',
      'x-editor': 'multiline',
    }),
    assignees: z.array(z.email()).max(100).optional().meta({
      title: 'Assignees',
      description: 'Emails of those who may decide, besides admins and owners. Empty: all members who may resume runs.',
      'x-editor': 'email-list',
    }),
    form: z
      .strictObject({ fields: approvalFields.meta({ apiDescription: 'The fields of the form, in order' }) })
      .optional()
      .apply(literalField)
      .meta({
        title: 'Fields',
        description: 'What the decision asks for. The values are in data of the output.',
        'x-editor': 'form-fields',
        'x-literal': true,
      }),
    expiresInMs: z.number().int().min(1).max(MAX_APPROVAL_MS).optional().meta({
      title: 'Expires after',
      description: 'Empty: never.',
      'x-editor': 'duration',
    }),
    onExpire: z
      .enum(['reject', 'fail'])
      .optional()
      .meta({
        apiDescription: 'What happens if there is no decision in time',
        'x-labels': { reject: 'Reject', fail: 'Fail' },
        title: 'When it expires',
        default: 'reject',
      }),
  }),
  hasInput: true,
  seesInput: false,
  outputs: ['approved', 'rejected'],
  credentialTypes: [],
  // Every assignee gets a mail.
  isOutside: ({ assignees }) => assignees !== undefined && !(Array.isArray(assignees) && assignees.length === 0),
  inTests: 'mock',
  mayWait: true,
  // Everyone is asked at once.
  eachConcurrency: 100,
  async run(context) {
    const { config, decision, waitingSince, log } = context;
    const { form } = config;
    if (decision) {
      const { data, ...rest } = decision;
      return completeNode(form ? { ...rest, data: data ?? {} } : rest, decision.decision);
    }
    const until = config.expiresInMs && new Date((waitingSince ?? new Date()).getTime() + config.expiresInMs);
    if (!until || until.getTime() > Date.now()) {
      const { message = '', assignees = [] } = config;
      if (!waitingSince) {
        log('info', message ? `Waiting for approval: ${message}` : 'Waiting for approval');
        await Promise.all(assignees.map((to) => mailAssignee(to, message, until || null, context)));
      }
      return {
        kind: 'wait',
        until: until || null,
        forDecision: true,
        held: { message, assignees, fields: form?.fields },
      };
    }
    if (config.onExpire === 'fail') throw new NodeFailure('EXPIRED', 'There was no decision in time.', false);
    log('warn', 'There was no decision in time: rejected');
    const rejection = { decision: 'rejected', comment: null, decidedBy: null, decidedAt: until.toISOString() };
    return completeNode(form ? { ...rejection, data: {} } : rejection, 'rejected');
  },
});
