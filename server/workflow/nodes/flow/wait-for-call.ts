import { z } from 'zod';
import type { FieldIssue } from '@/contract/error-response';
import { listSecretFields, WebhookVerification } from '@/contract/triggers/webhook-verification';
import { completeNode, defineNodeType } from '../node-type';
import { literalField, requiredField } from '../field-traits';

const MAX_CALL_WAIT_MS = 365 * 86_400_000;

/** The secrets that a verification needs and lacks: unlike for a webhook, the service makes none. */
function findMissingSecrets(verification: unknown): FieldIssue[] {
  const parsed = WebhookVerification.safeParse(verification);
  if (!parsed.success) return [];
  const given: Record<string, unknown> = parsed.data;
  const missing = listSecretFields(parsed.data).filter((name) => given[name] === undefined);
  return missing.map((name) => ({ field: `verification.${name}`, message: `verification.${name} is required` }));
}

export const waitForCallNodeType = defineNodeType({
  type: 'wait_for_call',
  title: 'Wait for call',
  summary: 'Waits until something is posted to its address, and passes that on.',
  synonyms: ['callback', 'wait for webhook', 'webhook', 'resume', 'pause', 'hook', 'resume url'],
  category: 'logic',
  config: z.strictObject({
    expiresInMs: z.number().int().min(1).max(MAX_CALL_WAIT_MS).optional().apply(requiredField).meta({
      title: 'Expires after',
      description:
        'At most a year. The address is execution.resumeUrls.<id of this node>; it works once, also before the run comes here.',
      'x-editor': 'duration',
    }),
    verification: WebhookVerification.optional()
      .apply(literalField)
      .meta({
        title: 'Verification',
        description:
          'Who may call, as for webhooks; empty: everyone who has the address. Its secrets are part of the workflow.',
        examples: [{ kind: 'header', name: 'x-token', value: 'a secret' }],
        'x-editor': 'json',
      }),
  }),
  gaps: ({ verification }) => findMissingSecrets(verification),
  hasInput: true,
  seesInput: false,
  outputs: ['output', 'expired'],
  credentialTypes: [],
  isOutside: false,
  inTests: 'mock',
  takesCall: 'any',
  async run({ config: { expiresInMs = 0 }, call, waitingSince, log }) {
    if (call) return completeNode(await call.read());
    const until = new Date((waitingSince?.getTime() ?? Date.now()) + expiresInMs);
    if (until.getTime() > Date.now()) {
      if (!waitingSince) log('info', `Waiting for a call until ${until.toISOString()}`);
      return { kind: 'wait', until, forDecision: false, held: { awaitsCall: true } };
    }
    log('warn', 'There was no call in time');
    return completeNode({ expiredAt: until.toISOString() }, 'expired');
  },
});
