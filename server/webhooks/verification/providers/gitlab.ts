import { isSameText } from '../compare';
import type { Provider } from '../provider-record';

/** https://docs.gitlab.com/user/project/integrations/webhooks/ : a secret token, and an id that retries repeat. */
export const gitlab: Provider = {
  verifier: ({ secret }) => ({
    reads: ['x-gitlab-token'],
    admits: ({ headers }) => isSameText(headers.get('x-gitlab-token') ?? '', secret),
    deliveryId: ({ headers }) => headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid'),
  }),
};
