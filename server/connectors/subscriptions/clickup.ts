import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { listedLineParameter } from '../parameters';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

interface ClickupWebhook {
  id: string;
  endpoint?: string;
}

const clickupWorkspaceParameters = {
  workspace: listedLineParameter('Workspace', 'workspaces', [], 50).describe('Id of the workspace'),
};

const clickupEvent = (id: string, title: string, words: string): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: clickupWorkspaceParameters,
  example: { event: id, webhook_id: '7fa3ec74', task_id: '1vj37mc', history_items: [] },
});

const clickupWebhooksPath = ({ workspace }: Record<string, unknown>) =>
  `/team/${encodeURIComponent(String(workspace))}/webhook`;

/** https://developer.clickup.com/docs/webhooks : the secret is shown when the webhook is made. */
export const clickupSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'signature', header: 'x-signature', algorithm: 'sha256', encoding: 'hex', prefix: '' },
  source: 'https://developer.clickup.com/docs/webhooks',
  secretFrom: 'provider',
  events: [
    clickupEvent('taskCreated', 'New task', 'ticket'),
    clickupEvent('taskUpdated', 'Task changes', 'ticket edit'),
    clickupEvent('taskDeleted', 'Task is deleted', 'ticket remove'),
    clickupEvent('taskStatusUpdated', 'Status of a task changes', 'ticket done'),
    clickupEvent('taskAssigneeUpdated', 'Assignee of a task changes', 'ticket person'),
    clickupEvent('taskDueDateUpdated', 'Due date of a task changes', 'ticket deadline'),
    clickupEvent('taskCommentPosted', 'New comment on a task', 'reply discussion'),
    clickupEvent('listCreated', 'New list', ''),
    clickupEvent('folderCreated', 'New folder', ''),
  ],
  *find({ url, parameters }) {
    const { body } = yield { path: clickupWebhooksPath(parameters) };
    const all = (getAtPath(body, 'webhooks') ?? []) as ClickupWebhook[];
    const found = all.find(({ endpoint }) => endpoint === url);
    return found ? { externalId: found.id, expiresAt: null } : null;
  },
  *create({ url, event, parameters }) {
    const value = { endpoint: url, events: [event] };
    const { body } = yield { method: 'POST', path: clickupWebhooksPath(parameters), body: { as: 'json', value } };
    const secret = getAtPath(body, 'webhook.secret');
    return {
      externalId: String(getAtPath(body, 'id')),
      expiresAt: null,
      ...(typeof secret === 'string' && { secret }),
    };
  },
  *remove(externalId) {
    yield { method: 'DELETE', path: `/webhook/${encodeURIComponent(externalId)}` };
  },
};
