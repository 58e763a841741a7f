import { MAX_CELL, MAX_COLUMNS, MAX_IMPORT_BYTES, MAX_ROWS } from '../../contract/tables/table-columns';
import { QUOTAS, type Quota } from '../../contract/quota';
import { TIERS, type Tier } from '../../contract/tier';
import { MAX_CONNECTOR_ITEMS, MAX_CONNECTOR_PAGES } from '../../server/connectors/calls/call';
import { MAX_BYTES as MAX_CONNECTOR_BYTES } from '../../server/connectors/calls/send';
import { MAX_TOOLS, MAX_TOOLS_TEXT } from '../../server/evaluation/mcp-answer';
import { MAX_MERGED_ITEMS } from '../../server/lists/merge';
import { MAX_RECIPIENTS } from '../../server/mail/mail';
import { MAX_MCP_ANSWER_BYTES } from '../../server/mcp/transport';
import { MAX_MODEL_ANSWER_BYTES } from '../../server/models/transport';
import { MAX_AGENT_STEPS, MAX_AGENT_TOOLS } from '../../server/nodes/ai/agent/config';
import { MAX_PROMPT } from '../../server/nodes/ai/fields';
import { MAX_MODEL_FILE_BYTES, MAX_MODEL_FILES } from '../../server/nodes/ai/files';
import { MAX_REDIS_FIELDS, MAX_REDIS_SENT } from '../../server/nodes/data/redis';
import { MAX_REMEMBERED_BYTES, MAX_REMEMBERED_ITEMS } from '../../server/nodes/data/remember';
import { MAX_SQL_STATEMENTS } from '../../server/nodes/data/sql';
import { MAX_HTTP_ITEMS_BYTES, MAX_HTTP_PAGES } from '../../server/nodes/http/http-pages';
import { MAX_MESSAGE_BYTES, MAX_READ_MESSAGES } from '../../server/nodes/read-email';
import { MAX_ATTACHED_BYTES } from '../../server/nodes/send-email';
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS } from '../../server/openapi/record';
import { MAX_MCP_WORKFLOWS } from '../../server/operations/workflows/tools';
import { HOST_LIMITS } from '../../server/outbound/connections';
import { MAX_LOOKUPS, MAX_WAITING_LOOKUPS } from '../../server/outbound/names';
import { MAX_HTTP_ANSWER_BYTES, MAX_REDIRECTS } from '../../server/outbound/outbound';
import { MAX_CREDENTIAL_CONNECTIONS, MAX_WORKSPACE_CONNECTIONS } from '../../server/pools/pool';
import { MAX_REPLY, MAX_REPLY_VALUES } from '../../server/redis/reply-guard';
import { MAX_OUTPUT as MAX_COMMAND_OUTPUT } from '../../server/remote/command';
import { MAX_REMOTE_CONNECTIONS } from '../../server/remote/credential';
import { MAX_ENTRIES } from '../../server/remote/entries';
import { MAX_COMMAND_BYTES } from '../../server/remote/script';
import { MAX_SQL_BYTES, MAX_SQL_ROWS } from '../../server/sql/result-rows';
import { TABLE_STATEMENT_MS } from '../../server/tables/faults';
import { MAX_FILTER_CONDITIONS, MAX_FILTER_DEPTH } from '../../server/tables/filter';
import { MAX_SORT_COLUMNS } from '../../server/tables/order';
import { writeTiers, writeBytes, writeCount, SETTING, writeTime, TIER, type Limit, type Subject } from './limit';

const REFUSED = '400 `VALIDATION_ERROR`';
const quota = (limit: string, name: Quota, write?: (number: number) => string): Limit => ({
  limit,
  value: writeTiers(
    Object.fromEntries((Object.keys(TIERS) as Tier[]).map((tier) => [tier, QUOTAS[tier][name]])) as Record<
      Tier,
      number | null
    >,
    write,
  ),
  by: TIER,
  beyond: '403 `FORBIDDEN`; nodes fail with `QUOTA`',
});

export const TABLES: Subject = [
  'Tables',
  [
    quota('tables of a workspace', 'tables'),
    quota('rows of all tables', 'tableRows'),
    quota('bytes of all rows', 'tableBytes', writeBytes),
    { limit: 'columns of a table', value: writeCount(MAX_COLUMNS), beyond: REFUSED },
    { limit: 'text of a cell', value: `${writeCount(MAX_CELL)} characters`, beyond: REFUSED },
    { limit: 'rows of one call', value: writeCount(MAX_ROWS), beyond: REFUSED },
    {
      limit: 'conditions of a filter',
      value: `${writeCount(MAX_FILTER_CONDITIONS)}, ${writeCount(MAX_FILTER_DEPTH)} levels`,
      beyond: REFUSED,
    },
    { limit: 'columns of a sort', value: writeCount(MAX_SORT_COLUMNS), beyond: REFUSED },
    {
      limit: 'time of a statement on rows',
      value: writeTime(TABLE_STATEMENT_MS),
      beyond: `${REFUSED}, and an index is built`,
    },
    { limit: 'file of an import', value: writeBytes(MAX_IMPORT_BYTES), beyond: REFUSED },
  ],
];

export const SERVICES: Subject = [
  'Nodes that call other services',
  [
    { limit: 'answer by HTTP', value: writeBytes(MAX_HTTP_ANSWER_BYTES), beyond: '`TOO_LARGE`' },
    { limit: 'redirects', value: writeCount(MAX_REDIRECTS), beyond: '`TOO_MANY_REDIRECTS`' },
    {
      limit: 'pages of `http_request`; their items',
      value: `${writeCount(MAX_HTTP_PAGES)}; ${writeBytes(MAX_HTTP_ITEMS_BYTES)}`,
      by: SETTING,
      beyond: 'no more pages are requested; `OUTPUT_TOO_LARGE`',
    },
    { limit: 'answer of a connector', value: writeBytes(MAX_CONNECTOR_BYTES), beyond: '`TOO_LARGE`' },
    {
      limit: 'items; pages of a connector’s list',
      value: `${writeCount(MAX_CONNECTOR_ITEMS)}; ${writeCount(MAX_CONNECTOR_PAGES)}`,
      beyond: 'no more pages are requested; the output has `hasMore`',
    },
    {
      limit: 'OpenAPI document; operations of its connector',
      value: `${writeBytes(MAX_DOCUMENT_BYTES)}; ${writeCount(MAX_OPERATIONS)}`,
      beyond: REFUSED,
    },
    {
      limit: 'result of `sql`, all statements together',
      value: `${writeCount(MAX_SQL_ROWS)} rows, ${writeBytes(MAX_SQL_BYTES)}`,
      beyond: '`TOO_MANY_ROWS`, `TOO_LARGE`',
    },
    { limit: 'statements of a node `sql`', value: writeCount(MAX_SQL_STATEMENTS), beyond: REFUSED },
    {
      limit: 'reply of `redis`',
      value: `${writeBytes(MAX_REPLY)}, ${writeCount(MAX_REPLY_VALUES)} values`,
      beyond: '`TOO_LARGE`',
    },
    {
      limit: 'what `redis` sends',
      value: `${writeBytes(MAX_REDIS_SENT)}, ${writeCount(MAX_REDIS_FIELDS)} fields or arguments`,
      beyond: '`TOO_LARGE`, `CONFIG`',
    },
    {
      limit: 'connections to databases and Redis servers, in a process',
      value: `${writeCount(MAX_CREDENTIAL_CONNECTIONS)} of a credential, ${writeCount(MAX_WORKSPACE_CONNECTIONS)} of a workspace`,
      beyond: 'nodes wait for one',
    },
    {
      limit: 'connections by SSH, SFTP and FTP of a workspace, in a process',
      value: writeCount(MAX_REMOTE_CONNECTIONS),
      beyond: 'nodes wait for one',
    },
    {
      limit: 'command of `ssh`; what it writes',
      value: `${writeCount(MAX_COMMAND_BYTES)} bytes; ${writeBytes(MAX_COMMAND_OUTPUT)}`,
      beyond: '`CONFIG`; `TOO_LARGE`',
    },
    { limit: 'entries of a folder', value: writeCount(MAX_ENTRIES), beyond: '`TOO_LARGE`' },
    {
      limit: 'recipients of a mail; its attachments',
      value: `${writeCount(MAX_RECIPIENTS)}; ${writeBytes(MAX_ATTACHED_BYTES)}`,
      beyond: '`MAIL_INVALID`; `TOO_LARGE`',
    },
    {
      limit: 'messages of one read of a mailbox; a message',
      value: `${writeCount(MAX_READ_MESSAGES)}; ${writeBytes(MAX_MESSAGE_BYTES)}`,
      beyond: 'the rest is read next time; a larger message without attachments',
    },
    { limit: 'prompt of a language model', value: `${writeCount(MAX_PROMPT)} characters`, beyond: '`CONFIG`' },
    { limit: 'answer of a language model', value: writeBytes(MAX_MODEL_ANSWER_BYTES), beyond: '`TOO_LARGE`' },
    {
      limit: 'files for a language model',
      value: `${writeCount(MAX_MODEL_FILES)}, ${writeBytes(MAX_MODEL_FILE_BYTES)} together`,
      beyond: '`CONFIG`, `TOO_LARGE`',
    },
    {
      limit: 'steps; tools of an agent',
      value: `${writeCount(MAX_AGENT_STEPS)}; ${writeCount(MAX_AGENT_TOOLS)}`,
      by: SETTING,
      beyond: '`MAX_STEPS`; 400 `VALIDATION_ERROR`',
    },
    {
      limit: 'tools of an MCP server; an answer of it',
      value: `${writeCount(MAX_TOOLS)}, ${writeBytes(MAX_TOOLS_TEXT)}; ${writeBytes(MAX_MCP_ANSWER_BYTES)}`,
      beyond: 'further tools are left out; the node fails',
    },
    {
      limit: 'workflows that are tools of our MCP server',
      value: writeCount(MAX_MCP_WORKFLOWS),
      beyond: 'the newest are left out',
    },
    {
      limit: 'value; items of one `seen` of `remember`',
      value: `${writeBytes(MAX_REMEMBERED_BYTES)}; ${writeCount(MAX_REMEMBERED_ITEMS)}`,
      beyond: '`VALUE_TOO_LARGE`, `TOO_MANY_ITEMS`',
    },
    { limit: 'items of a merged list', value: writeCount(MAX_MERGED_ITEMS), beyond: '`TOO_MANY_ITEMS`' },
  ],
];

export const OUTGOING: Subject = [
  'Outgoing connections',
  [
    {
      limit: 'lookups of names in progress, of a workspace in a process',
      value: `${writeCount(MAX_LOOKUPS)}; ${writeCount(MAX_WAITING_LOOKUPS)} wait`,
      beyond: '`DNS`',
    },
    {
      limit: 'connections to one host that are kept open, of a workspace in a process',
      value: writeCount(HOST_LIMITS.connections),
      beyond: 'calls wait for one',
    },
    { limit: 'headers of an answer', value: writeBytes(HOST_LIMITS.maxHeaderSize), beyond: 'the node fails' },
  ],
];
