import { NodeFailure } from '@/server/platform/errors/node-failure';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { listedLineParameter } from '../parameters';
import type { ConnectorSubscriptions, ProviderRequests, SubscribedEvent } from '../subscription';

interface JiraWebhook {
  self: string;
  url?: string;
}

const jiraProjectParameters = {
  project: listedLineParameter('Project', 'projects', [], 100)
    .optional()
    .describe('Key of the project, e.g. PROJ; default: all'),
};

const jiraEvent = (id: string, title: string, words: string): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: jiraProjectParameters,
  example: {
    timestamp: 1_769_847_330_000,
    webhookEvent: id,
    user: { accountId: '5b10ac8d82e05b22cc7d4ef5', displayName: 'Ada' },
    issue: { id: '10042', key: 'PROJ-42', fields: { summary: 'The door is stuck', status: { name: 'To Do' } } },
  },
});

/** The webhooks of administrators have an API beside that of the issues. */
function* readWebhooksAddress(): ProviderRequests<string> {
  const { body } = yield { path: '/serverInfo' };
  const baseUrl = getAtPath(body, 'baseUrl');
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl))
    throw new NodeFailure('BAD_RESPONSE', 'Jira does not say its address.');
  return `${baseUrl.replace(/\/+$/, '')}/rest/webhooks/1.0/webhook`;
}

const quoteJqlText = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** https://developer.atlassian.com/cloud/jira/platform/webhooks : the account must be of an administrator. */
export const jiraSubscriptions: ConnectorSubscriptions = {
  verification: {
    kind: 'signature',
    header: 'x-hub-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: 'sha256=',
  },
  source: 'https://developer.atlassian.com/cloud/jira/platform/webhooks',
  events: [
    jiraEvent('jira:issue_created', 'New issue', 'ticket bug task'),
    jiraEvent('jira:issue_updated', 'Issue changes', 'ticket status transition assignee'),
    jiraEvent('jira:issue_deleted', 'Issue is deleted', 'ticket removed'),
    jiraEvent('comment_created', 'New comment', 'reply discussion'),
    jiraEvent('comment_updated', 'Comment changes', 'edit discussion'),
  ],
  *find({ url }) {
    const path = yield* readWebhooksAddress();
    const { body } = yield { path };
    const found = (Array.isArray(body) ? (body as JiraWebhook[]) : []).find((webhook) => webhook.url === url);
    return found ? { externalId: found.self, expiresAt: null } : null;
  },
  *create({ url, secret, event, parameters }) {
    const path = yield* readWebhooksAddress();
    const { project } = parameters;
    const value = {
      name: `Weft: ${event}`,
      url,
      events: [event],
      excludeBody: false,
      secret,
      ...(typeof project === 'string' && {
        filters: { 'issue-related-events-section': `project = ${quoteJqlText(project)}` },
      }),
    };
    const { body } = yield { method: 'POST', path, body: { as: 'json', value } };
    return { externalId: (body as JiraWebhook).self, expiresAt: null };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: externalId };
  },
};
