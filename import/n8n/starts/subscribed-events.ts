import { asN8nObject, type N8nObject } from '../file';
import { chosenListValue } from '../nodes/http';
import { isN8nExpression } from '../n8n-expressions';
import {
  GITHUB_CALL_SHAPE,
  GITLAB_CALL_SHAPE,
  shapeTelegramUpdate,
  shapeTypeformResponse,
  type SenderShape,
} from './sender-shapes';
import { choiceName } from './poll-source';

/** What n8n's trigger asks a service to send. */
export interface SubscribedTrigger {
  service: string;
  connectorId: string;
  /** The ids of the events; each is subscribed by a webhook of its own. */
  events: readonly string[];
  /** The parameters of the events. One without a value is empty in n8n, too. */
  parameters?: Readonly<Record<string, { label: string; value: string | undefined; name?: string }>>;
  shape?: SenderShape;
  isRequest?: boolean;
}

const listTexts = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);

/** A parameter that is written or picked. Null: an expression, which is not known before a run. */
function readPick(given: unknown): { value: string | undefined; name?: string } | null {
  const value = chosenListValue(given);
  if (typeof value === 'string' && isN8nExpression(value)) return null;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  const name = choiceName(given);
  return { value: text === '' ? undefined : text, ...(name !== undefined && name !== text ? { name } : {}) };
}

/** Events by their names in n8n; undefined: one of them has no counterpart. */
function mapEvents(given: unknown, toEvent: (event: string) => string | undefined): string[] | undefined {
  const wanted = listTexts(given);
  const events = wanted.flatMap((event) => toEvent(event) ?? []);
  return wanted.length > 0 && events.length === wanted.length ? [...new Set(events)] : undefined;
}

const pickAmong =
  (...names: string[]) =>
  (event: string): string | undefined =>
    names.includes(event) ? event : undefined;

const TELEGRAM_EVENTS = new Set(['message', 'edited_message', 'channel_post', 'callback_query', 'inline_query']);

function subscribeTelegram(parameters: N8nObject, version: number): SubscribedTrigger | undefined {
  if (asN8nObject(parameters['additionalFields'])['download'] === true) return undefined;
  const updates = [...new Set(listTexts(parameters['updates']))];
  const [only = ''] = updates;
  const isAll = updates.length === 0 || updates.includes('*');
  const isOne = updates.length === 1 && TELEGRAM_EVENTS.has(only);
  return {
    service: 'Telegram',
    connectorId: 'telegram',
    events: [isOne ? only : 'any'],
    shape: shapeTelegramUpdate(parameters, version, isAll || isOne ? [] : updates),
  };
}

const isGithubEvent = pickAmong(
  'push',
  'pull_request',
  'pull_request_review',
  'issues',
  'issue_comment',
  'release',
  'star',
  'fork',
  'create',
  'delete',
  'workflow_run',
  'deployment_status',
);

/** The last part of an address, such as the name of a repository. */
const lastAddressPart = (text: string | undefined): string | undefined =>
  text?.startsWith('http') ? text.split(/[?#]/)[0]?.split('/').findLast(Boolean) : text;

function subscribeGithub({ events, owner, repository }: N8nObject): SubscribedTrigger | undefined {
  const [wanted, ownerPick, repoPick] = [mapEvents(events, isGithubEvent), readPick(owner), readPick(repository)];
  if (!wanted || !ownerPick || !repoPick) return undefined;
  return {
    service: 'GitHub',
    connectorId: 'github',
    events: wanted,
    parameters: {
      owner: { label: 'owner', value: lastAddressPart(ownerPick.value) },
      repo: { label: 'repository', value: lastAddressPart(repoPick.value) },
    },
    shape: GITHUB_CALL_SHAPE,
    isRequest: true,
  };
}

const GITLAB_EVENTS: Readonly<Record<string, string>> = {
  push: 'push_events',
  merge_requests: 'merge_requests_events',
  issues: 'issues_events',
  note: 'note_events',
  pipeline: 'pipeline_events',
  tag_push: 'tag_push_events',
  releases: 'releases_events',
};

function subscribeGitlab({ events, owner, repository }: N8nObject): SubscribedTrigger | undefined {
  const wanted = mapEvents(events, (event) => (Object.hasOwn(GITLAB_EVENTS, event) ? GITLAB_EVENTS[event] : undefined));
  const [ownerPick, repoPick] = [readPick(owner), readPick(repository)];
  if (!wanted || !ownerPick || !repoPick) return undefined;
  const value = ownerPick.value && repoPick.value && `${ownerPick.value}/${repoPick.value}`;
  return {
    service: 'GitLab',
    connectorId: 'gitlab',
    events: wanted,
    parameters: { project: { label: 'project', value } },
    shape: GITLAB_CALL_SHAPE,
    isRequest: true,
  };
}

const withoutParameters =
  (service: string, connectorId: string, toEvent: (event: string) => string | undefined) =>
  ({ events, event, topic }: N8nObject): SubscribedTrigger | undefined => {
    const wanted = mapEvents(events ?? [event ?? topic].flat(), toEvent);
    return wanted && { service, connectorId, events: wanted };
  };

const subscribeStripe = withoutParameters(
  'Stripe',
  'stripe',
  pickAmong(
    'checkout.session.completed',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'charge.refunded',
    'charge.dispute.created',
    'customer.created',
    'customer.subscription.created',
    'customer.subscription.updated',
    'customer.subscription.deleted',
    'invoice.paid',
    'invoice.payment_failed',
  ),
);

const subscribeToCalendly = withoutParameters('Calendly', 'calendly', pickAmong('invitee.created', 'invitee.canceled'));

const subscribeShopify = withoutParameters(
  'Shopify',
  'shopify',
  pickAmong(
    'orders/create',
    'orders/paid',
    'orders/updated',
    'orders/cancelled',
    'orders/fulfilled',
    'refunds/create',
    'checkouts/create',
    'draft_orders/create',
    'customers/create',
    'customers/update',
    'products/create',
    'products/update',
    'inventory_levels/update',
    'app/uninstalled',
  ),
);

const subscribeWooCommerce = withoutParameters(
  'WooCommerce',
  'woocommerce',
  pickAmong(
    'order.created',
    'order.updated',
    'order.deleted',
    'customer.created',
    'customer.updated',
    'product.created',
    'product.updated',
    'coupon.created',
  ),
);

function subscribeTypeform(parameters: N8nObject, version: number): SubscribedTrigger | undefined {
  const form = readPick(parameters['formId']);
  if (!form) return undefined;
  return {
    service: 'Typeform',
    connectorId: 'typeform',
    events: ['form_response'],
    parameters: { form: { label: 'form', ...form } },
    shape: shapeTypeformResponse(parameters, version),
  };
}

const LINEAR_EVENTS: Readonly<Record<string, string>> = {
  issue: 'Issue',
  comment: 'Comment',
  project: 'Project',
  cycle: 'Cycle',
  issueLabel: 'IssueLabel',
};

function subscribeLinear({ resources, teamId }: N8nObject): SubscribedTrigger | undefined {
  const wanted = mapEvents(resources, (one) => (Object.hasOwn(LINEAR_EVENTS, one) ? LINEAR_EVENTS[one] : undefined));
  const team = readPick(teamId);
  if (!wanted || !team) return undefined;
  return {
    service: 'Linear',
    connectorId: 'linear',
    events: wanted,
    parameters: { team: { label: 'team', ...team } },
  };
}

function subscribeJira({ events, additionalFields }: N8nObject): SubscribedTrigger | undefined {
  const { filter, includeFields, excludeBody } = asN8nObject(additionalFields);
  const wanted = mapEvents(
    events,
    pickAmong('jira:issue_created', 'jira:issue_updated', 'jira:issue_deleted', 'comment_created', 'comment_updated'),
  );
  const isNarrowed = Boolean(filter) || listTexts(includeFields).length > 0 || excludeBody === true;
  return wanted && !isNarrowed ? { service: 'Jira', connectorId: 'jira', events: wanted } : undefined;
}

/** Version 1 reads deliveries in the former form of Pipedrive, which it no longer sends. */
function subscribePipedrive({ action, entity }: N8nObject, version: number): SubscribedTrigger | undefined {
  if (version < 1.1) return undefined;
  const wanted = mapEvents(
    [`${String(entity)}.${String(action)}`],
    pickAmong(
      'deal.create',
      'deal.change',
      'deal.delete',
      'person.create',
      'person.change',
      'organization.create',
      'organization.change',
      'activity.create',
      'activity.change',
      'lead.create',
      'note.create',
    ),
  );
  return wanted && { service: 'Pipedrive', connectorId: 'pipedrive', events: wanted };
}

function subscribeClickUp({ events, team, filters }: N8nObject): SubscribedTrigger | undefined {
  const workspace = readPick(team);
  const wanted = mapEvents(
    events,
    pickAmong(
      'taskCreated',
      'taskUpdated',
      'taskDeleted',
      'taskStatusUpdated',
      'taskAssigneeUpdated',
      'taskDueDateUpdated',
      'taskCommentPosted',
      'listCreated',
      'folderCreated',
    ),
  );
  if (!wanted || !workspace || Object.values(asN8nObject(filters)).some(Boolean)) return undefined;
  return {
    service: 'ClickUp',
    connectorId: 'clickup',
    events: wanted,
    parameters: { workspace: { label: 'workspace', ...workspace } },
  };
}

/** By the types of triggers in n8n. Undefined: Weft subscribes to no such event. */
export const SUBSCRIBED_TRIGGERS: Readonly<
  Record<string, (parameters: N8nObject, version: number) => SubscribedTrigger | undefined>
> = {
  telegramTrigger: subscribeTelegram,
  githubTrigger: subscribeGithub,
  gitlabTrigger: subscribeGitlab,
  stripeTrigger: subscribeStripe,
  calendlyTrigger: (parameters) =>
    (parameters['scope'] ?? 'user') === 'user' ? subscribeToCalendly(parameters) : undefined,
  shopifyTrigger: subscribeShopify,
  wooCommerceTrigger: subscribeWooCommerce,
  typeformTrigger: subscribeTypeform,
  linearTrigger: subscribeLinear,
  jiraTrigger: subscribeJira,
  pipedriveTrigger: subscribePipedrive,
  clickUpTrigger: subscribeClickUp,
};
