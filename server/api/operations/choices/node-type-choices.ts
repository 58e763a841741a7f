import { z } from 'zod';
import { ListChoicesRequest, ListChoicesResponse } from '@/contract/choices';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { askForChoices } from '@/server/connectors/calls/choice-credential';
import { permissionCovers } from '@/server/people/access/conditions';
import { permissionRefusal } from '@/server/people/access/require';
import { invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { findNodeType } from '@/server/workflow/nodes';
import type { NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { readSourceValues, requireWriteScope, toPlainChoice, type ChoiceLister } from './choice-source';
import { keepChoices, refuseByField, requireChoiceCredential } from './kept-choices';
import { selectChoicePage, SERVER_CHOICE_LISTERS, type ServerChoiceLister } from '@/server/connectors/server-choices';
import { TABLE_CHOICE_LISTERS } from './table-sources';

/** What lists the choices of each node type, by the sources that its fields name. */
export const NODE_TYPE_CHOICE_LISTERS: Readonly<Record<string, Readonly<Record<string, ChoiceLister>>>> = {
  table: TABLE_CHOICE_LISTERS,
};

const findServerLister = (type: string, source: string): ServerChoiceLister | undefined => {
  const listers = Object.hasOwn(SERVER_CHOICE_LISTERS, type) ? SERVER_CHOICE_LISTERS[type] : undefined;
  return listers && Object.hasOwn(listers, source) ? listers[source] : undefined;
};

/** Failures that say nothing of the credential. Others come from its server, which it names. */
const SOURCE_FAULTS = /^(?:TOO_LARGE|BAD_RESPONSE|EVALUATION_)/;

/** Asks the server of a credential. */
async function listServerChoices(
  call: SignedInCall,
  { type, title, credentialTypes }: NodeTypeDefinition,
  { dependsOn = [], uses = [], listAll }: ServerChoiceLister,
  { source, credentialId, values, search = '', cursor }: ListChoicesRequest,
): Promise<ListChoicesResponse> {
  const isTaken = (row: { type: string }) => (credentialTypes as readonly string[]).includes(row.type);
  const credential = await requireChoiceCredential(call, credentialId, isTaken, `the node type ${title}`);
  const given = readSourceValues(values, dependsOn, uses);
  const key = [credential.id, credential.version, 'node-type', type, source, given, search, cursor];
  return keepChoices(call, key, () =>
    refuseByField(async () => {
      const listed = await askForChoices(
        call.caller.workspaceId,
        credential.id,
        (code) => !SOURCE_FAULTS.test(code),
        async ({ credential: handle, secrets, signal }) => {
          if (!handle) throw new Error('The credential was not opened.');
          const all = await listAll({ credential: handle, secrets, signal }, given, search);
          return all.map((choice) => secrets.value(choice));
        },
      );
      return selectChoicePage(listed, { search, cursor });
    }),
  );
}

/** Sources of tables list only those that the caller may read, and nobody without any such permission gets an answer. */
function requireAnyTableRead({ caller: { permissions } }: SignedInCall): void {
  if (!permissions.some((permission) => permissionCovers(permission, 'table', 'read')))
    throw permissionRefusal('table:read');
}

const NodeTypeParams = z.strictObject({ type: z.string().max(100) });

/**
 * Lists what fields of a node may hold. Further sources need an entry in the table above, and a field that names them.
 */
const listNodeTypeChoicesOperation = defineOperation({
  id: 'nodeTypes.choices',
  method: 'POST',
  path: '/api/node-types/{type}/choices',
  summary: 'List what a field of a node may hold',
  description:
    'For fields of `configSchema` with `x-choices` or `x-columns` `{source, dependsOn}`. The node type `table` lists the tables that the caller ' +
    'may read, and the columns of one. Others ask the server of `credentialId`, which needs `credential:use`: `llm` and `agent` list `models`, `mcp` ' +
    '`tools` and the `arguments` of a `tool`, `sql` `tables` and the `columns` of a `table`, `mongodb` `databases` and the `collections` of a `database`; answers are kept for a minute, and `Cache-Control: no-cache` ' +
    'asks anew. The values of the fields in `dependsOn` are given in `values`. Nothing is stored. An API key needs the scope `write`.',
  tag: 'Workflows',
  access: memberAccess('table', 'read', { isFiltered: true, or: 'credential:use' }),
  effect: readEffect(),
  params: NodeTypeParams,
  body: jsonBody(ListChoicesRequest),
  reply: jsonReply(ListChoicesResponse),
  async run(call, { params: { type }, body: { source, credentialId, values, search = '', cursor } }) {
    await requireWriteScope(call);
    const kind = findNodeType(type);
    if (!kind) throw notFoundProblem('The node type');
    const asked = findServerLister(kind.type, source);
    if (asked) return listServerChoices(call, kind, asked, { source, credentialId, values, search, cursor });
    requireAnyTableRead(call);
    const dependsOn = kind.sources && Object.hasOwn(kind.sources, source) ? kind.sources[source] : undefined;
    const list = NODE_TYPE_CHOICE_LISTERS[kind.type]?.[source];
    if (!dependsOn || !list) throw invalidFieldProblem('source', `is not a source of the node type ${kind.type}`);
    if (credentialId !== undefined) throw invalidFieldProblem('credentialId', 'is not taken by this source');
    const { data, nextCursor } = await list(call, { values: readSourceValues(values, dependsOn), search, cursor });
    return { data: data.map(toPlainChoice), nextCursor };
  },
});

export const nodeTypeChoiceOperations = [listNodeTypeChoicesOperation];
