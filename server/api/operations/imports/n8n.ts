import {
  ListN8nWorkflowsRequest,
  ListN8nWorkflowsResponse,
  N8nWorkflowWithRuns,
  ReadN8nWorkflowRequest,
} from '@/contract/workflows/n8n-import';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { visibleRowsFilter } from '@/server/people/access/filter';
import type { DatabaseClient } from '@/server/platform/db/client';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { requireWriteScope } from '../choices/choice-source';
import { askN8n, N8nAnswerTooLarge, type N8nServer } from './n8n-server';

const IMPORT_TAG = 'Imports';
const WORKFLOWS_PER_PAGE = 10;
const MAX_PAGE_BYTES = 20 * 1024 * 1024;
const MAX_WORKFLOW_BYTES = 10 * 1024 * 1024;
/** A larger run could not become a test. */
const MAX_RUN_BYTES = 4 * 1024 * 1024;
const MAX_RUNS_BYTES = 16 * 1024 * 1024;
const MAX_READING_MS = 60_000;

const listN8nWorkflowsOperation = defineOperation({
  id: 'imports.n8nWorkflows',
  method: 'POST',
  path: '/api/import/n8n/workflows',
  summary: 'List the workflows of a running n8n',
  description:
    'Asks the API of n8n with the key, ten workflows at a time. Address and key are used for this request, and are not stored. ' +
    'Nothing is imported: `POST /api/workflows` creates what was converted, as `weft import n8n` and the console do. An API key needs the scope `write`.',
  tag: IMPORT_TAG,
  access: memberAccess('workflow', 'create'),
  effect: readEffect(),
  body: jsonBody(ListN8nWorkflowsRequest),
  reply: jsonReply(ListN8nWorkflowsResponse),
  async run(call, { body: { url, key, cursor } }) {
    await requireWriteScope(call);
    const query = new URLSearchParams({ limit: String(WORKFLOWS_PER_PAGE), excludePinnedData: 'true' });
    if (cursor !== undefined) query.set('cursor', cursor);
    const server = { workspaceId: call.caller.workspaceId, url, key };
    const { value } = await askN8n(server, `/workflows?${query}`, { maxBytes: MAX_PAGE_BYTES }).catch(
      refuseLargeAnswer,
    );
    const { data, nextCursor } = value;
    if (!Array.isArray(data)) throw invalidFieldProblem('url', 'does not answer as the API of n8n does');
    const next = typeof nextCursor === 'string' && nextCursor !== '' && nextCursor !== cursor ? nextCursor : null;
    const listed = data.slice(0, WORKFLOWS_PER_PAGE) as unknown[];
    const imported = await listImportedBefore(call, url, listed);
    return { data: listed, nextCursor: next?.slice(0, 2000) ?? null, imported };
  },
});

/** The same address, with and without a slash at its end. */
const writeAddressForms = (url: string): string[] => {
  const address = url.replace(/\/+$/, '');
  return [...new Set([url, address, `${address}/`])];
};

/** The workflows of a page that were imported from an address, the latest of each. */
async function listImportedBefore(
  { db, caller }: { db: DatabaseClient; caller: WorkspaceCaller },
  url: string,
  listed: readonly unknown[],
): Promise<{ sourceId: string; workflowId: string }[]> {
  const ids = listed.flatMap((one) => {
    const { id } = (one ?? {}) as { id?: unknown };
    return typeof id === 'string' && id !== '' ? [id.slice(0, 200)] : [];
  });
  const rows = await db.workflow.findMany({
    where: {
      AND: [
        { workspaceId: caller.workspaceId },
        visibleRowsFilter(caller, 'workflow'),
        { import: { sourceId: { in: ids }, url: { in: writeAddressForms(url) } } },
      ],
    },
    orderBy: { createdAt: 'asc' },
    select: { id: true, import: { select: { sourceId: true } } },
  });
  const latest = new Map(rows.map((row) => [row.import?.sourceId ?? '', row.id]));
  return [...latest].map(([sourceId, workflowId]) => ({ sourceId, workflowId }));
}

function refuseLargeAnswer(error: unknown): never {
  if (error instanceof N8nAnswerTooLarge)
    throw invalidFieldProblem('url', `gives an answer that is too large: ${error.message}`);
  throw error;
}

const readN8nWorkflowOperation = defineOperation({
  id: 'imports.n8nWorkflow',
  method: 'POST',
  path: '/api/import/n8n/workflow',
  summary: 'Read a workflow of a running n8n with its last runs',
  description:
    'Asks the API of n8n for the workflow with its pinned data, and for the data of its last finished runs: each at most 4 MiB, ' +
    'all at most 16 MiB, for at most a minute. The rest is counted in `runsLeftOut`. Address and key are not stored. An API key needs the scope `write`.',
  tag: IMPORT_TAG,
  access: memberAccess('workflow', 'create'),
  effect: readEffect(),
  body: jsonBody(ReadN8nWorkflowRequest),
  reply: jsonReply(N8nWorkflowWithRuns),
  async run(call, { body: { url, key, workflowId, runs: wanted } }) {
    await requireWriteScope(call);
    const server = { workspaceId: call.caller.workspaceId, url, key };
    const { value } = await askN8n(server, `/workflows/${workflowId}`, { maxBytes: MAX_WORKFLOW_BYTES }).catch(
      refuseLargeAnswer,
    );
    return { workflow: value, ...(await readLastRuns(server, workflowId, wanted)) };
  },
});

/** The data of the last runs that have succeeded or failed. One after another, because each may be large. */
async function readLastRuns(server: N8nServer, workflowId: string, wanted: number) {
  const deadline = Date.now() + MAX_READING_MS;
  const runs: unknown[] = [];
  let runsLeftOut = 0;
  let bytesLeft = MAX_RUNS_BYTES;
  for (const id of wanted > 0 ? await listFinishedRunIds(server, workflowId, wanted) : []) {
    const timeoutMs = Math.min(deadline - Date.now(), 30_000);
    const maxBytes = Math.min(MAX_RUN_BYTES, bytesLeft);
    if (timeoutMs <= 0 || maxBytes <= 0) {
      runsLeftOut += 1;
      continue;
    }
    try {
      const { value, bytes } = await askN8n(server, `/executions/${id}?includeData=true`, { maxBytes, timeoutMs });
      bytesLeft -= bytes;
      runs.push(value);
    } catch (error) {
      if (!(error instanceof N8nAnswerTooLarge)) throw error;
      runsLeftOut += 1;
    }
  }
  return { runs, runsLeftOut };
}

async function listFinishedRunIds(server: N8nServer, workflowId: string, wanted: number): Promise<string[]> {
  const query = new URLSearchParams({ workflowId, limit: String(Math.min(wanted * 2, 50)), includeData: 'false' });
  const { value } = await askN8n(server, `/executions?${query}`, { maxBytes: MAX_RUN_BYTES }).catch(refuseLargeAnswer);
  const { data } = value;
  if (!Array.isArray(data)) throw invalidFieldProblem('url', 'does not answer as the API of n8n does');
  return (data as unknown[])
    .flatMap((run) => {
      const { id, status } = (run ?? {}) as { id?: unknown; status?: unknown };
      const isFinished = status === 'success' || status === 'error';
      return isFinished && /^[\w-]{1,100}$/.test(String(id)) ? [String(id)] : [];
    })
    .slice(0, wanted);
}

export const importFromN8nOperations = [listN8nWorkflowsOperation, readN8nWorkflowOperation];
