import { MAX_CALLS } from '../../contract/batch';
import { MAX_FILE_BYTES } from '../../contract/file-value';
import { OWNED_WORKSPACES, QUOTAS, type Quota } from '../../contract/quota';
import { TIERS, type Tier } from '../../contract/tier';
import { MAX_FORM_FIELDS } from '../../contract/triggers/form';
import {
  MAX_CHAT_FILE_BYTES,
  MAX_CHAT_FILES,
  MAX_CHAT_FILES_BYTES,
  MAX_CHAT_MESSAGE,
} from '../../contract/triggers/chat-limits';
import { MAX_VALUES } from '../../server/api/json';
import { MAX_ACCOUNT_FAILURES, MAX_NETWORK_FAILURES } from '../../server/auth/throttle';
import { MAX_SESSIONS } from '../../server/auth/session';
import {
  AUTH_COST,
  CONNECTION_FRAMES,
  MAX_USER_CONNECTIONS,
  MAX_USER_SUBSCRIPTIONS,
  USER_FRAMES,
  USER_MISSES,
} from '../../server/channel/allowance';
import { MAX_UNAUTHENTICATED } from '../../server/channel/attach';
import { MAX_CONNECTION_SUBSCRIPTIONS } from '../../server/channel/connection';
import { MAX_JOINED_WORKFLOWS } from '../../server/channel/joined-workflows';
import { MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES } from '../../server/channel/websocket';
import { MAX_WAITING_BYTES, MAX_WAITING_CALLERS } from '../../server/engine/answers/waiting-callers';
import { MAX_DETAILS as MAX_ERROR_DETAILS } from '../../server/errors/problem';
import { TEMPORARY_SHARE, unverifiedShares, workspaceShare } from '../../server/files/disk-shares';
import { HTTP_TIMEOUTS, MAX_HEADER_BYTES } from '../../server/http/server';
import { MAX_ROLES } from '../../server/operations/access/roles';
import { MAX_WAIT_SECONDS } from '../../server/operations/executions/waiting';
import { MAX_PROJECT_BODY, MAX_PROJECT_VALUES } from '../../server/operations/projects/projects';
import { MAX_KEPT_DELIVERY, MAX_REFUSED_DELIVERIES } from '../../server/operations/webhooks/inbox';
import {
  MAX_BODY as MAX_WORKFLOW_BODY,
  MAX_VALUES as MAX_WORKFLOW_VALUES,
} from '../../server/operations/workflows/input';
import { MAX_BODY as MAX_DELIVERY_BODY, MAX_UNVERIFIED_BYTES } from '../../server/pipeline/steps/delivery-body';
import { DEFAULT_MAX_BODY } from '../../server/pipeline/steps/parse';
import { CAPS } from '../../server/quotas/caps';
import { MAX_BODY_FIELDS, MAX_DEPTH } from '../../server/request-body';
import { writeTiers, writeBytes, writeCount, writeTime, TIER, nameVariable, type Limit, type Subject } from './limit';

const REFUSED = '400 `VALIDATION_ERROR`';
const tiers = Object.keys(TIERS) as Tier[];
const each = <Value>(of: (tier: Tier) => Value) =>
  Object.fromEntries(tiers.map((tier) => [tier, of(tier)])) as Record<Tier, Value>;
const quota = (limit: string, name: Quota, beyond: string, write?: (number: number) => string): Limit => ({
  limit,
  value: writeTiers(
    each((tier) => QUOTAS[tier][name]),
    write,
  ),
  by: TIER,
  beyond,
});
const rate = ({ burst, perSecond }: { burst: number; perSecond: number }) =>
  `${writeCount(burst)} at once, then ${perSecond} a second`;
const [network, target, strangers] = unverifiedShares('', '').map((share) => writeBytes(share.bytes));

export const REQUESTS: Subject = [
  'Requests',
  [
    {
      limit: 'requests of a workspace',
      value: writeTiers(
        each((tier) => TIERS[tier].perMinute),
        (number) => `${writeCount(number)} a minute`,
      ),
      by: TIER,
      beyond: '429 `RATE_LIMITED` with `Retry-After`',
    },
    {
      limit: 'requests of a workspace at once',
      value: writeTiers(each((tier) => TIERS[tier].burst)),
      by: TIER,
      beyond: '429 `RATE_LIMITED`',
    },
    {
      limit:
        'requests of a network that are not signed in; unverified deliveries of a network to a webhook; calls of a network to a form or a chat',
      value: 'as those of a workspace, each apart',
      by: nameVariable('RATE_LIMIT_TIER'),
      beyond: '429 `RATE_LIMITED`',
    },
    { limit: 'body', value: writeBytes(DEFAULT_MAX_BODY), beyond: REFUSED },
    {
      limit: 'body that creates or changes a workflow, or saves a draft',
      value: writeBytes(MAX_WORKFLOW_BODY),
      beyond: REFUSED,
    },
    { limit: 'body that pushes a project', value: writeBytes(MAX_PROJECT_BODY), beyond: REFUSED },
    { limit: 'levels of JSON in a body', value: writeCount(MAX_DEPTH), beyond: REFUSED },
    {
      limit: 'values of JSON in a body, those of lists and objects included',
      value: `${writeCount(MAX_VALUES)}; a workflow ${writeCount(MAX_WORKFLOW_VALUES)}, a project ${writeCount(MAX_PROJECT_VALUES)}; inputs of runs, pins and deliveries any number`,
      beyond: REFUSED,
    },
    { limit: 'fields of a form or of one object', value: writeCount(MAX_BODY_FIELDS), beyond: REFUSED },
    { limit: 'headers together', value: writeBytes(MAX_HEADER_BYTES), beyond: '431' },
    {
      limit: 'time to send the headers; the whole request',
      value: `${writeTime(HTTP_TIMEOUTS.headersTimeout)}; ${writeTime(HTTP_TIMEOUTS.requestTimeout)}`,
      beyond: '408',
    },
    { limit: 'calls in one request of tRPC', value: writeCount(MAX_CALLS), beyond: REFUSED },
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
      value: `${writeCount(MAX_WAITING_CALLERS)}, or ${writeBytes(MAX_WAITING_BYTES)} of their requests; half of it of one workspace`,
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
      value: writeBytes(MAX_UNVERIFIED_BYTES),
      beyond: '429 `RATE_LIMITED`',
    },
    {
      limit: 'refused deliveries that the inbox keeps',
      value: `${writeCount(MAX_REFUSED_DELIVERIES)}, and as many whose bodies can be replayed; bodies of at most ${writeBytes(MAX_KEPT_DELIVERY)}`,
      beyond: 'the oldest are forgotten',
    },
    { limit: 'fields of a form', value: writeCount(MAX_FORM_FIELDS), beyond: REFUSED },
    { limit: 'message of a chat', value: `${writeCount(MAX_CHAT_MESSAGE)} characters`, beyond: REFUSED },
    {
      limit: 'files of a message of a chat',
      value: `${writeCount(MAX_CHAT_FILES)}; ${writeBytes(MAX_CHAT_FILE_BYTES)} each, ${writeBytes(MAX_CHAT_FILES_BYTES)} together`,
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
      value: `${writeBytes(TEMPORARY_SHARE.bytes)}; of a workspace ${writeBytes(workspaceShare('').bytes)}; of senders that are not verified ${strangers}, ${target} for a webhook, ${network} for a webhook and network`,
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
      value: writeTiers(OWNED_WORKSPACES),
      by: nameVariable('RATE_LIMIT_TIER'),
      beyond: '403 `FORBIDDEN`',
    },
    ...Object.entries(CAPS).flatMap(([name, { what, most }]) =>
      name === 'workspaces' ? [] : [{ limit: what, value: writeCount(most() ?? 0), beyond: '403 `FORBIDDEN`' }],
    ),
    { limit: 'roles of a workspace', value: writeCount(MAX_ROLES), beyond: '409 `CONFLICT`' },
    {
      limit: 'open sessions of a user',
      value: writeCount(MAX_SESSIONS),
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
      value: `${rate(CONNECTION_FRAMES)}; \`auth\` counts as ${AUTH_COST + 1}, and each KiB again`,
      beyond: 'closed with 1008',
    },
    { limit: 'frames of all connections of a user', value: rate(USER_FRAMES), beyond: 'closed with 1008' },
    {
      limit: 'size of a frame',
      value: writeBytes(MAX_FRAME_BYTES),
      beyond: `\`error\`; above ${writeBytes(MAX_PAYLOAD_BYTES)} closed with 1009. Over Socket.IO the connection ends`,
    },
    { limit: 'connections of a user', value: writeCount(MAX_USER_CONNECTIONS), beyond: 'closed with 1008' },
    {
      limit: 'connections that have not authenticated',
      value: writeCount(MAX_UNAUTHENTICATED),
      beyond: 'the network that has most of them loses its oldest',
    },
    {
      limit: 'subscriptions of a connection; of a user',
      value: `${writeCount(MAX_CONNECTION_SUBSCRIPTIONS)}; ${writeCount(MAX_USER_SUBSCRIPTIONS)}`,
      beyond: '`error`: the subscription is refused',
    },
    {
      limit: 'subscriptions of a user to executions that they may not see',
      value: rate(USER_MISSES),
      beyond: 'nothing is looked up',
    },
    { limit: 'workflows that a connection has open', value: writeCount(MAX_JOINED_WORKFLOWS), beyond: '`error`' },
  ],
];
