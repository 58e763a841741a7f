import type { ConnectorChoiceSource } from '../../choices';
import { defineSteppedOperation, type ApiRequest, type ApiResponse, type OperationDefinition } from '../../operation';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

// https://developer.calendly.com/api-docs
export const calendlyRateLimit = '500 calls a minute, 60 in the free plan.';

type CalendlyRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

function* readOwnUser(): CalendlyRequests<Record<string, unknown>> {
  return (getAtPath((yield { path: '/users/me' }).body, 'resource') ?? {}) as Record<string, unknown>;
}

/** All items of a list; undefined: the account may not read it. */
function* collectCalendlyItems(path: string, query: Record<string, unknown>): CalendlyRequests<unknown[] | undefined> {
  const all: unknown[] = [];
  let page: unknown;
  do {
    const { status, body } = yield {
      path,
      query: { ...query, count: 100, page_token: page },
      acceptedStatus: 403,
    };
    if (status === 403) return undefined;
    all.push(...((getAtPath(body, 'collection') ?? []) as unknown[]));
    page = getAtPath(body, 'pagination.next_page_token');
  } while (typeof page === 'string');
  return all;
}

const calendlyMemberExample = {
  organization: 'https://api.calendly.com/organizations/BBBB',
  role: 'owner',
  user: { uri: 'https://api.calendly.com/users/AAAA', name: 'Ada', email: 'ada@example.com' },
};

/** Operations of Calendly that need no uri of a user. */
export const calendlyListOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'users.list',
    title: 'List users',
    help: 'Members of the organization; without the right to see them, the own user.',
    limits: calendlyRateLimit,
    parameters: {},
    *steps() {
      const user = yield* readOwnUser();
      const organization = user['current_organization'];
      return (yield* collectCalendlyItems('/organization_memberships', { organization })) ?? [{ organization, user }];
    },
    example: [calendlyMemberExample],
  }),
  defineSteppedOperation({
    id: 'organizations.list',
    title: 'List organizations',
    help: 'Those of which the own user is a member, with the role.',
    limits: calendlyRateLimit,
    parameters: {},
    *steps() {
      const user = yield* readOwnUser();
      const memberships = yield* collectCalendlyItems('/organization_memberships', { user: user['uri'] });
      return memberships ?? [{ organization: user['current_organization'], user }];
    },
    example: [calendlyMemberExample],
  }),
];

/** What the parameters of Calendly are picked from. */
export const calendlyChoices: Record<string, ConnectorChoiceSource> = {
  users: { operation: 'users.list', value: 'user.uri', label: ['user.name', 'user.email'], hint: 'user.email' },
  organizations: { operation: 'organizations.list', value: 'organization', label: ['organization'], hint: 'role' },
  // https://developer.calendly.com/api-docs
  webhookEvents: {
    choices: [
      { value: 'invitee.created', label: 'Invitee created' },
      { value: 'invitee.canceled', label: 'Invitee cancelled' },
      { value: 'invitee_no_show.created', label: 'Invitee marked as absent' },
      { value: 'invitee_no_show.deleted', label: 'Mark as absent removed' },
      { value: 'routing_form_submission.created', label: 'Routing form submitted' },
    ],
  },
  // Active events of the own user that have not begun. Operations take the end of the uri.
  events: {
    *steps({ page }) {
      const user = yield* readOwnUser();
      const query = {
        user: user['uri'],
        status: 'active',
        min_start_time: new Date().toISOString(),
        sort: 'start_time:asc',
        count: 100,
        page_token: page ?? undefined,
      };
      const { body } = yield { path: '/scheduled_events', query };
      const found = (getAtPath(body, 'collection') ?? []) as object[];
      const next = getAtPath(body, 'pagination.next_page_token');
      return {
        items: found.map((event) => ({ ...event, id: String(getAtPath(event, 'uri')).split('/').at(-1) })),
        next: typeof next === 'string' ? next : null,
      };
    },
    value: 'id',
    label: ['name'],
    hint: 'start_time',
  },
};
