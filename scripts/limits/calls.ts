import { MAX_BATCH_CALLS } from '../../contract/batch';
import { MAX_FILE_BYTES } from '../../contract/file-value';
import { MAX_OWNED_WORKSPACES, QUOTAS_BY_TIER, type QuotaName } from '../../contract/quota';
import { RATE_LIMITS_BY_TIER, type WorkspaceTier } from '../../contract/tier';
import { MAX_FORM_FIELDS } from '../../contract/triggers/form';
import { MAX_READ_PAGES } from '../../server/engine/queue/form-run';
import { MAX_ENDING_HTML, MAX_ENDING_MESSAGE } from '../../server/workflow/nodes/flow/form-ending';
import {
  MAX_CHAT_FILE_BYTES,
  MAX_CHAT_FILES,
  MAX_CHAT_UPLOAD_BYTES,
  MAX_CHAT_MESSAGE_LENGTH,
} from '../../contract/triggers/chat-limits';
import { MAX_JSON_VALUES } from '../../server/api/operation/json';
import { MAX_ACCOUNT_FAILURES, MAX_NETWORK_FAILURES } from '../../server/people/auth/throttle';
import { MAX_OPEN_SESSIONS } from '../../server/people/auth/session';
import {
  AUTH_FRAME_COST,
  CONNECTION_FRAME_LIMIT,
  MAX_USER_CONNECTIONS,
  MAX_USER_SUBSCRIPTIONS,
  USER_FRAME_LIMIT,
  USER_MISS_LIMIT,
} from '../../server/api/channel/allowance';
import { MAX_UNAUTHENTICATED_CONNECTIONS } from '../../server/api/channel/attach';
import { MAX_CONNECTION_SUBSCRIPTIONS } from '../../server/api/channel/connection';
import { MAX_JOINED_WORKFLOWS } from '../../server/api/channel/joined-workflows';
import { MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES } from '../../server/api/channel/websocket';
import { MAX_WAITING_REQUEST_BYTES, MAX_WAITING_CALLERS } from '../../server/engine/answers/waiting-callers';
import { MAX_PROBLEM_DETAILS as MAX_ERROR_DETAILS } from '../../server/platform/errors/problem';
import { ALL_TEMPORARY_SHARE, unverifiedSenderShares, workspaceDiskShare } from '../../server/data/files/disk-shares';
import { SLOW_CLIENT_TIMEOUTS, MAX_REQUEST_HEADER_BYTES } from '../../server/api/http/server';
import { MAX_WORKSPACE_ROLES } from '../../server/api/operations/access/roles';
import { MAX_WAIT_SECONDS } from '../../server/api/operations/executions/waiting';
import { MAX_PROJECT_BODY_BYTES, MAX_PROJECT_VALUES } from '../../server/api/operations/projects/projects';
import { MAX_STORED_BODY_BYTES, MAX_REFUSED_DELIVERIES } from '../../server/api/operations/webhooks/inbox';
import {
  MAX_WORKFLOW_BODY_BYTES as MAX_WORKFLOW_BODY,
  MAX_WORKFLOW_JSON_VALUES as MAX_WORKFLOW_VALUES,
} from '../../server/api/operations/workflows/request-fields';
import {
  MAX_WEBHOOK_BODY_BYTES as MAX_DELIVERY_BODY,
  MAX_UNVERIFIED_TOTAL_BYTES,
} from '../../server/api/pipeline/steps/delivery-body';
import { DEFAULT_MAX_BODY_BYTES } from '../../server/api/pipeline/steps/parse';
import { OBJECT_CAPS } from '../../server/platform/quotas/caps';
import { MAX_BODY_FIELDS, MAX_BODY_DEPTH } from '../../server/platform/messages/request-body';
import { writeTiers, writeBytes, writeCount, writeTime, TIER, nameVariable, type Limit, type Subject } from './limit';

const REFUSED = '400 `VALIDATION_ERROR`';
const tiers = Object.keys(RATE_LIMITS_BY_TIER) as WorkspaceTier[];
const each = <Value>(of: (tier: WorkspaceTier) => Value) =>
  Object.fromEntries(tiers.map((tier) => [tier, of(tier)])) as Record<WorkspaceTier, Value>;
const quota = (limit: string, name: QuotaName, beyond: string, write?: (number: number) => string): Limit => ({
  limit,
  value: writeTiers(
    each((tier) => QUOTAS_BY_TIER[tier][name]),
    write,
  ),
  by: TIER,
  beyond,
});
const rate = ({ burst, perSecond }: { burst: number; perSecond: number }) =>
  `${writeCount(burst)} at once, then ${perSecond} a second`;
const [network, target, strangers] = unverifiedSenderShares('', '').map((share) => writeBytes(share.bytes));

export const REQUESTS: Subject = [
  'Requests',
  [
    {
      limit: 'requests of a workspace',
      value: writeTiers(
        each((tier) => RATE_LIMITS_BY_TIER[tier].perMinute),
        (number) => `${writeCount(number)} a minute`,
      ),
      by: TIER,
      beyond: '429 `RATE_LIMITED` with `Retry-After`',
    },
    {
      limit: 'requests of a workspace at once',
      value: writeTiers(each((tier) => RATE_LIMITS_BY_TIER[tier].burst)),
      by: TIER,
      beyond: '429 `RATE_LIMITED`',
    },
    {
      limit:
        'requests of a network that are not signed in; unverified deliveries of a network to a webhook; calls of a network to a form, to the pages of a run of it, or to a chat',
      value: 'as those of a workspace, each apart',
      by: nameVariable('RATE_LIMIT_TIER'),
      beyond: '429 `RATE_LIMITED`',
    },
    { limit: 'body', value: writeBytes(DEFAULT_MAX_BODY_BYTES), beyond: REFUSED },
    {
      limit: 'body that creates or changes a workflow, or saves a draft',
      value: writeBytes(MAX_WORKFLOW_BODY),
      beyond: REFUSED,
    },
    { limit: 'body that pushes a project', value: writeBytes(MAX_PROJECT_BODY_BYTES), beyond: REFUSED },
    { limit: 'levels of JSON in a body', value: writeCount(MAX_BODY_DEPTH), beyond: REFUSED },
    {
      limit: 'values of JSON in a body, those of lists and objects included',
      value: `${writeCount(MAX_JSON_VALUES)}; a workflow ${writeCount(MAX_WORKFLOW_VALUES)}, a project ${writeCount(MAX_PROJECT_VALUES)}; inputs of runs, pins and deliveries any number`,
      beyond: REFUSED,
    },
    { limit: 'fields of a form or of one object', value: writeCount(MAX_BODY_FIELDS), beyond: REFUSED },
    { limit: 'headers together', value: writeBytes(MAX_REQUEST_HEADER_BYTES), beyond: '431' },
    {
      limit: 'time to send the headers; the whole request',
      value: `${writeTime(SLOW_CLIENT_TIMEOUTS.headersTimeout)}; ${writeTime(SLOW_CLIENT_TIMEOUTS.requestTimeout)}`,
      beyond: '408',
    },
    { limit: 'calls in one request of tRPC', value: writeCount(MAX_BATCH_CALLS), beyond: REFUSED },
    {
      limit: 'details that an error lists',
      value: writeCount(MAX_ERROR_DETAILS),
      beyond: 'the message says that there are more',
    },
    {
      limit: '`waitSeconds`, and `Prefer: wait`',
      value: writeTime(MAX_WAIT_SECONDS * 1000),
      beyond: `${REFUSED}; a larger \`Prefer: wait\` is ignored`,
    },
    {
      limit: 'callers that wait for an answer, in a process',
      value: `${writeCount(MAX_WAITING_CALLERS)}, or ${writeBytes(MAX_WAITING_REQUEST_BYTES)} of their requests; half of it of one workspace`,
      beyond: '202 at once',
    },
  ],
];

export const TRIGGERS: Subject = [
  'Webhooks, forms, chats',
  [
    { limit: 'delivery to a webhook with settings of its own', value: writeBytes(MAX_DELIVERY_BODY), beyond: REFUSED },
    {
      limit: 'larger bodies that are read at a time, of one network and webhook',
      value: writeBytes(MAX_UNVERIFIED_TOTAL_BYTES),
      beyond: '429 `RATE_LIMITED`',
    },
    {
      limit: 'refused deliveries that the inbox keeps',
      value: `${writeCount(MAX_REFUSED_DELIVERIES)}, and as many whose bodies can be replayed; bodies of at most ${writeBytes(MAX_STORED_BODY_BYTES)}`,
      beyond: 'the oldest are forgotten',
    },
    { limit: 'fields of a form', value: writeCount(MAX_FORM_FIELDS), beyond: REFUSED },
    { limit: 'page of a form in a run', value: 'waits for a year', beyond: REFUSED },
    {
      limit: 'open pages of a run that are listed',
      value: writeCount(MAX_READ_PAGES),
      beyond: 'those that were reached first',
    },
    {
      limit: 'message, HTML of the ending of a form',
      value: `${writeCount(MAX_ENDING_MESSAGE)}, ${writeCount(MAX_ENDING_HTML)} characters`,
      beyond: 'the node fails with `CONFIG`',
    },
    { limit: 'message of a chat', value: `${writeCount(MAX_CHAT_MESSAGE_LENGTH)} characters`, beyond: REFUSED },
    {
      limit: 'files of a message of a chat',
      value: `${writeCount(MAX_CHAT_FILES)}; ${writeBytes(MAX_CHAT_FILE_BYTES)} each, ${writeBytes(MAX_CHAT_UPLOAD_BYTES)} together`,
      beyond: REFUSED,
    },
  ],
];

export const FILES: Subject = [
  'Files',
  [
    {
      limit: 'file, also after decompression',
      value: writeBytes(MAX_FILE_BYTES),
      beyond: `${REFUSED}; nodes fail with \`TOO_LARGE\``,
    },
    quota('files of a workspace', 'fileBytes', '403 `FORBIDDEN`; nodes fail with `FILE_QUOTA`', writeBytes),
    {
      limit: 'temporary files in a process',
      value: `${writeBytes(ALL_TEMPORARY_SHARE.bytes)}; of a workspace ${writeBytes(workspaceDiskShare('').bytes)}; of senders that are not verified ${strangers}, ${target} for a webhook, ${network} for a webhook and network`,
      beyond: '429 `RATE_LIMITED`',
    },
  ],
];

export const WORKSPACE: Subject = [
  'Workspaces and people',
  [
    quota('workflows', 'workflows', '403 `FORBIDDEN`'),
    quota('stored runs', 'storedRuns', '403 `FORBIDDEN`; a verified delivery is kept in the inbox'),
    quota('schedules and polls', 'schedules', '403 `FORBIDDEN`'),
    quota('connectors from OpenAPI documents', 'connectors', '403 `FORBIDDEN`'),
    quota('keys and items that `remember` nodes keep', 'rememberedKeys', 'the node fails with `QUOTA`'),
    quota('mails a day (UTC), each recipient counted', 'mailsPerDay', 'the node fails with `MAIL_QUOTA`'),
    quota('invitations a day (UTC)', 'invitationsPerDay', '429 `RATE_LIMITED` with `Retry-After`'),
    {
      limit: 'workspaces that a user owns',
      value: writeTiers(MAX_OWNED_WORKSPACES),
      by: nameVariable('RATE_LIMIT_TIER'),
      beyond: '403 `FORBIDDEN`',
    },
    ...Object.entries(OBJECT_CAPS).flatMap(([name, { what, most }]) =>
      name === 'workspaces' ? [] : [{ limit: what, value: writeCount(most() ?? 0), beyond: '403 `FORBIDDEN`' }],
    ),
    { limit: 'roles of a workspace', value: writeCount(MAX_WORKSPACE_ROLES), beyond: '409 `CONFLICT`' },
    {
      limit: 'open sessions of a user',
      value: writeCount(MAX_OPEN_SESSIONS),
      beyond: 'the sign-in ends the session that was not used for longest',
    },
    {
      limit: 'failed sign-ins within 15 minutes',
      value: `${writeCount(MAX_ACCOUNT_FAILURES)} of an account, ${writeCount(MAX_NETWORK_FAILURES)} of a network`,
      beyond: '429 `RATE_LIMITED` for 15 minutes, then longer',
    },
  ],
];

export const CHANNEL: Subject = [
  'Live channel, in each process',
  [
    {
      limit: 'frames of a connection',
      value: `${rate(CONNECTION_FRAME_LIMIT)}; \`auth\` counts as ${AUTH_FRAME_COST + 1}, and each KiB again`,
      beyond: 'closed with 1008',
    },
    { limit: 'frames of all connections of a user', value: rate(USER_FRAME_LIMIT), beyond: 'closed with 1008' },
    {
      limit: 'size of a frame',
      value: writeBytes(MAX_FRAME_BYTES),
      beyond: `\`error\`; above ${writeBytes(MAX_PAYLOAD_BYTES)} closed with 1009. Over Socket.IO the connection ends`,
    },
    { limit: 'connections of a user', value: writeCount(MAX_USER_CONNECTIONS), beyond: 'closed with 1008' },
    {
      limit: 'connections that have not authenticated',
      value: writeCount(MAX_UNAUTHENTICATED_CONNECTIONS),
      beyond: 'the network that has most of them loses its oldest',
    },
    {
      limit: 'subscriptions of a connection; of a user',
      value: `${writeCount(MAX_CONNECTION_SUBSCRIPTIONS)}; ${writeCount(MAX_USER_SUBSCRIPTIONS)}`,
      beyond: '`error`: the subscription is refused',
    },
    {
      limit: 'subscriptions of a user to executions that they may not see',
      value: rate(USER_MISS_LIMIT),
      beyond: 'nothing is looked up',
    },
    { limit: 'workflows that a connection has open', value: writeCount(MAX_JOINED_WORKFLOWS), beyond: '`error`' },
  ],
];
