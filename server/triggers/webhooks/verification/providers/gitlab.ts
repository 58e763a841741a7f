import { isSameTextConstantTime } from '../compare';
import type { WebhookProviderRecord } from '../provider-record';

/** https://docs.gitlab.com/user/project/integrations/webhooks/ : a secret token, and an id that retries repeat. */
export const gitlabWebhooks: WebhookProviderRecord = {
  verifier: ({ secret }) => ({
    reads: ['x-gitlab-token'],
    admits: ({ headers }) => isSameTextConstantTime(headers.get('x-gitlab-token') ?? '', secret),
    deliveryId: ({ headers }) => headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid'),
  }),
};
