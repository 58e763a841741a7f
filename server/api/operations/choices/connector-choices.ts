import { z } from 'zod';
import { ListChoicesRequest, ListChoicesResponse } from '@/contract/choices';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { ChoiceRefusal, listConnectorChoices, listFixedChoices } from '@/server/connectors/calls/choice-page';
import { listSourceFields } from '@/server/connectors/choices';
import type { ConnectorDefinition } from '@/server/connectors/connector';
import { findConnector } from '@/server/connectors/lookup';
import { requireReferenceUse } from '@/server/people/access/references';
import { LruCache } from '@/server/platform/cache/lru';
import { invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { readSourceValues, requireWriteScope, toPlainChoice } from './choice-source';

const ConnectorChoiceParams = z.strictObject({ id: z.string().max(100) });

const CHOICES_KEPT_MS = 60_000;
const MAX_KEPT_PAGES = 2000;
const MAX_KEPT_JSON = 20 * 1024 * 1024;

/**
 * Cache: people open the same list again and again, and providers limit calls. Permissions are checked before it is
 * read.
 */
const keptPages = new LruCache<{ page: ListChoicesResponse; until: number }>(MAX_KEPT_PAGES, MAX_KEPT_JSON);

const isFreshWanted = ({ headers }: SignedInCall): boolean =>
  /(?:^|,)\s*no-(?:cache|store)\s*(?:,|$)/i.test(headers.get('cache-control') ?? '');

/** The credential of the workspace, of this connector, that the caller may use. */
async function requireConnectorCredential(
  { db, caller }: SignedInCall,
  connector: ConnectorDefinition,
  credentialId: string | undefined,
): Promise<{ id: string; version: number }> {
  if (credentialId === undefined) throw invalidFieldProblem('credentialId', 'is required');
  await requireReferenceUse(db, caller, { resource: 'credential', id: credentialId });
  const row = await db.credential.findFirst({
    where: { id: credentialId, workspaceId: caller.workspaceId },
    select: { id: true, version: true, connectorId: true },
  });
  if (!row) throw invalidFieldProblem('credentialId', 'is not a credential of this workspace');
  if (row.connectorId !== connector.id) throw invalidFieldProblem('credentialId', `is not one of ${connector.name}`);
  return row;
}

/** A page with plain texts; a refusal names the field of the request that is to blame. */
async function refuseByField(list: () => ListChoicesResponse | Promise<ListChoicesResponse>) {
  try {
    const { data, nextCursor } = await list();
    return { data: data.map(toPlainChoice), nextCursor };
  } catch (error) {
    throw error instanceof ChoiceRefusal ? invalidFieldProblem(error.field, error.message) : error;
  }
}

const listConnectorChoicesOperation = defineOperation({
  id: 'connectors.choices',
  method: 'POST',
  path: '/api/connectors/{id}/choices',
  summary: 'List what a parameter of an operation may hold',
  description:
    'For parameters with `x-choices` `{source, dependsOn}`: asks the service with the credential, which needs `credential:use`. ' +
    '`values` has the parameters in `dependsOn`. Answers are kept for a minute; `Cache-Control: no-cache` asks anew. A refusal of ' +
    'the service is a 400 at `credentialId` with its reason; no answer within 10 seconds is one at `source`. An API key needs the scope `write`.',
  tag: 'Connectors',
  access: memberAccess('connector', 'use'),
  effect: readEffect(),
  params: ConnectorChoiceParams,
  body: jsonBody(ListChoicesRequest),
  reply: jsonReply(ListChoicesResponse),
  async run(call, { params: { id }, body: { source: name, credentialId, values, search = '', cursor } }) {
    await requireWriteScope(call);
    const { workspaceId } = call.caller;
    const connector = await findConnector(workspaceId, id, call.db);
    if (!connector) throw notFoundProblem('The connector');
    const { choices = {} } = connector;
    const source = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (!source) throw invalidFieldProblem('source', `is not a source of ${connector.name}`);
    if ('choices' in source) return refuseByField(() => listFixedChoices(source, { search, cursor }));
    const credential = await requireConnectorCredential(call, connector, credentialId);
    const { needed, optional } = listSourceFields(source);
    const given = readSourceValues(values, needed, optional);
    const key = JSON.stringify([workspaceId, credential.id, credential.version, id, name, given, search, cursor]);
    const kept = keptPages.get(key);
    if (kept && kept.until > Date.now() && !isFreshWanted(call)) return kept.page;
    const asked = { connector, source, credentialId: credential.id, values: given, search, cursor };
    const page = await refuseByField(() => listConnectorChoices(workspaceId, asked));
    keptPages.set(key, { page, until: Date.now() + CHOICES_KEPT_MS }, JSON.stringify(page).length);
    return page;
  },
});

export const connectorChoiceOperations = [listConnectorChoicesOperation];
