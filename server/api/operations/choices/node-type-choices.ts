import { z } from 'zod';
import { ListChoicesRequest, ListChoicesResponse } from '@/contract/choices';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { findNodeType } from '@/server/workflow/nodes';
import { readSourceValues, requireWriteScope, toPlainChoice, type ChoiceLister } from './choice-source';
import { TABLE_CHOICE_LISTERS } from './table-sources';

/** What lists the choices of each node type, by the sources that its fields name. */
export const NODE_TYPE_CHOICE_LISTERS: Readonly<Record<string, Readonly<Record<string, ChoiceLister>>>> = {
  table: TABLE_CHOICE_LISTERS,
};

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
    'For fields of `configSchema` with `x-choices` or `x-columns` `{source, dependsOn}`: the tables that the caller may read, and the ' +
    'columns of one, with their types. The values of the fields in `dependsOn` are given in `values`. Nothing is stored. An API key needs the scope `write`.',
  tag: 'Workflows',
  access: memberAccess('table', 'read', { isFiltered: true }),
  effect: readEffect(),
  params: NodeTypeParams,
  body: jsonBody(ListChoicesRequest),
  reply: jsonReply(ListChoicesResponse),
  async run(call, { params: { type }, body: { source, credentialId, values, search = '', cursor } }) {
    await requireWriteScope(call);
    const kind = findNodeType(type);
    if (!kind) throw notFoundProblem('The node type');
    const dependsOn = kind.sources && Object.hasOwn(kind.sources, source) ? kind.sources[source] : undefined;
    const list = NODE_TYPE_CHOICE_LISTERS[kind.type]?.[source];
    if (!dependsOn || !list) throw invalidFieldProblem('source', `is not a source of the node type ${kind.type}`);
    if (credentialId !== undefined) throw invalidFieldProblem('credentialId', 'is not taken by this source');
    const { data, nextCursor } = await list(call, { values: readSourceValues(values, dependsOn), search, cursor });
    return { data: data.map(toPlainChoice), nextCursor };
  },
});

export const nodeTypeChoiceOperations = [listNodeTypeChoicesOperation];
