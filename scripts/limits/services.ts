import {
  MAX_CELL_CHARACTERS,
  MAX_TABLE_COLUMNS,
  MAX_IMPORT_BYTES,
  MAX_ROWS_PER_CALL,
} from '../../contract/tables/table-columns';
import { QUOTAS_BY_TIER, type QuotaName } from '../../contract/quota';
import { RATE_LIMITS_BY_TIER, type WorkspaceTier } from '../../contract/tier';
import { MAX_CONNECTOR_ITEMS, MAX_CONNECTOR_PAGES } from '../../server/connectors/calls/call';
import { MAX_API_RESPONSE_BYTES as MAX_CONNECTOR_BYTES } from '../../server/connectors/calls/send';
import { MAX_MCP_TOOLS, MAX_MCP_TOOLS_TEXT } from '../../server/evaluation/evaluator/mcp-response';
import { MAX_MERGED_ITEMS } from '../../server/evaluation/lists/merge';
import { MAX_MAIL_RECIPIENTS } from '../../server/network/mail/mail';
import { MAX_MCP_RESPONSE_BYTES } from '../../server/network/mcp/transport';
import { MAX_MODEL_REPLY_BYTES } from '../../server/network/models/transport';
import { MAX_AGENT_STEPS, MAX_AGENT_TOOLS } from '../../server/workflow/nodes/ai/agent/config';
import { MAX_MODEL_PROMPT } from '../../server/workflow/nodes/ai/fields';
import { MAX_MODEL_FILE_BYTES, MAX_MODEL_FILES } from '../../server/workflow/nodes/ai/files';
import { MAX_REDIS_SENT_BYTES } from '../../server/workflow/nodes/data/redis';
import { MAX_REDIS_FIELDS } from '../../server/workflow/nodes/data/redis-config';
import { MAX_REMEMBERED_BYTES, MAX_REMEMBERED_ITEMS } from '../../server/workflow/nodes/data/remember';
import { MAX_SQL_STATEMENTS } from '../../server/workflow/nodes/data/sql';
import { MAX_HTTP_ITEMS_JSON, MAX_HTTP_PAGES } from '../../server/workflow/nodes/http/http-pages';
import { MAX_READ_MESSAGE_BYTES, MAX_READ_MESSAGES } from '../../server/workflow/nodes/read-email';
import { MAX_MAIL_ATTACHMENT_BYTES } from '../../server/workflow/nodes/send-email';
import { MAX_DOCUMENT_BYTES, MAX_CONNECTOR_OPERATIONS } from '../../server/evaluation/openapi/record';
import { MAX_MCP_WORKFLOWS } from '../../server/api/operations/workflows/tools';
import { HTTP_AGENT_LIMITS } from '../../server/network/outbound/connections';
import { MAX_ACTIVE_LOOKUPS, MAX_WAITING_LOOKUPS } from '../../server/network/outbound/names';
import { MAX_HTTP_RESPONSE_BYTES, MAX_REDIRECTS } from '../../server/network/outbound/outbound';
import { MAX_CREDENTIAL_CONNECTIONS, MAX_WORKSPACE_CONNECTIONS } from '../../server/network/pools/pool';
import { MAX_MONGO_DOCUMENTS, MAX_MONGO_RESULT_BYTES } from '../../server/network/mongodb/result-documents';
import { MAX_MONGO_SENT_BYTES } from '../../server/workflow/nodes/data/mongodb-values';
import { MAX_REDIS_REPLY_BYTES, MAX_REDIS_REPLY_VALUES } from '../../server/network/redis/reply-guard';
import { MAX_COMMAND_OUTPUT_BYTES as MAX_COMMAND_OUTPUT } from '../../server/network/remote/command';
import { MAX_REMOTE_CONNECTIONS } from '../../server/network/remote/credential';
import { MAX_FOLDER_ENTRIES } from '../../server/network/remote/entries';
import { MAX_COMMAND_BYTES } from '../../server/network/remote/script';
import { MAX_SQL_BYTES, MAX_SQL_ROWS } from '../../server/network/sql/result-rows';
import { TABLE_STATEMENT_MS } from '../../server/data/tables/table-errors';
import { MAX_FILTER_CONDITIONS, MAX_FILTER_DEPTH } from '../../server/data/tables/filter';
import { MAX_SORT_COLUMNS } from '../../server/data/tables/order';
import { writeTiers, writeBytes, writeCount, SETTING, writeTime, TIER, type Limit, type Subject } from './limit';

const REFUSED = '400 `VALIDATION_ERROR`';
const quota = (limit: string, name: QuotaName, write?: (number: number) => string): Limit => ({
  limit,
  value: writeTiers(
    Object.fromEntries(
      (Object.keys(RATE_LIMITS_BY_TIER) as WorkspaceTier[]).map((tier) => [tier, QUOTAS_BY_TIER[tier][name]]),
    ) as Record<WorkspaceTier, number | null>,
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
    { limit: 'columns of a table', value: writeCount(MAX_TABLE_COLUMNS), beyond: REFUSED },
    { limit: 'text of a cell', value: `${writeCount(MAX_CELL_CHARACTERS)} characters`, beyond: REFUSED },
    { limit: 'rows of one call', value: writeCount(MAX_ROWS_PER_CALL), beyond: REFUSED },
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
    { limit: 'answer by HTTP', value: writeBytes(MAX_HTTP_RESPONSE_BYTES), beyond: '`TOO_LARGE`' },
    { limit: 'redirects', value: writeCount(MAX_REDIRECTS), beyond: '`TOO_MANY_REDIRECTS`' },
    {
      limit: 'pages of `http_request`; their items',
      value: `${writeCount(MAX_HTTP_PAGES)}; ${writeBytes(MAX_HTTP_ITEMS_JSON)}`,
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
      value: `${writeBytes(MAX_DOCUMENT_BYTES)}; ${writeCount(MAX_CONNECTOR_OPERATIONS)}`,
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
      value: `${writeBytes(MAX_REDIS_REPLY_BYTES)}, ${writeCount(MAX_REDIS_REPLY_VALUES)} values`,
      beyond: '`TOO_LARGE`',
    },
    {
      limit: 'what `redis` sends',
      value: `${writeBytes(MAX_REDIS_SENT_BYTES)}, ${writeCount(MAX_REDIS_FIELDS)} fields or arguments`,
      beyond: '`TOO_LARGE`, `CONFIG`',
    },
    {
      limit: 'result of `mongodb`',
      value: `${writeCount(MAX_MONGO_DOCUMENTS)} documents, ${writeBytes(MAX_MONGO_RESULT_BYTES)}`,
      beyond: '`TOO_MANY_ROWS`, `TOO_LARGE`',
    },
    {
      limit: 'what `mongodb` sends',
      value: `${writeBytes(MAX_MONGO_SENT_BYTES)}, ${writeCount(MAX_MONGO_DOCUMENTS)} documents`,
      beyond: '`TOO_LARGE`, `CONFIG`',
    },
    {
      limit: 'connections to databases and servers of Redis and MongoDB, in a process',
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
    { limit: 'entries of a folder', value: writeCount(MAX_FOLDER_ENTRIES), beyond: '`TOO_LARGE`' },
    {
      limit: 'recipients of a mail; its attachments',
      value: `${writeCount(MAX_MAIL_RECIPIENTS)}; ${writeBytes(MAX_MAIL_ATTACHMENT_BYTES)}`,
      beyond: '`MAIL_INVALID`; `TOO_LARGE`',
    },
    {
      limit: 'messages of one read of a mailbox; a message',
      value: `${writeCount(MAX_READ_MESSAGES)}; ${writeBytes(MAX_READ_MESSAGE_BYTES)}`,
      beyond: 'the rest is read next time; a larger message without attachments',
    },
    { limit: 'prompt of a language model', value: `${writeCount(MAX_MODEL_PROMPT)} characters`, beyond: '`CONFIG`' },
    { limit: 'answer of a language model', value: writeBytes(MAX_MODEL_REPLY_BYTES), beyond: '`TOO_LARGE`' },
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
      value: `${writeCount(MAX_MCP_TOOLS)}, ${writeBytes(MAX_MCP_TOOLS_TEXT)}; ${writeBytes(MAX_MCP_RESPONSE_BYTES)}`,
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
      value: `${writeCount(MAX_ACTIVE_LOOKUPS)}; ${writeCount(MAX_WAITING_LOOKUPS)} wait`,
      beyond: '`DNS`',
    },
    {
      limit: 'connections to one host that are kept open, of a workspace in a process',
      value: writeCount(HTTP_AGENT_LIMITS.connections),
      beyond: 'calls wait for one',
    },
    { limit: 'headers of an answer', value: writeBytes(HTTP_AGENT_LIMITS.maxHeaderSize), beyond: 'the node fails' },
  ],
];
