import { z } from 'zod';
import { ListChoicesRequest, ListChoicesResponse } from '@/contract/choices';
import { memberAccess, defineOperation, type SignedInCall } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { listConnectorChoices, listFixedChoices } from '@/server/connectors/calls/choice-page';
import { listSourceFields } from '@/server/connectors/choices';
import type { ConnectorDefinition } from '@/server/connectors/connector';
import { findCustomSource } from '@/server/connectors/custom/store';
import { findConnector } from '@/server/connectors/lookup';
import { invalidFieldProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { readSourceValues, requireWriteScope } from './choice-source';
import { keepChoices, refuseByField, requireChoiceCredential } from './kept-choices';

const ConnectorChoiceParams = z.strictObject({ id: z.string().max(100) });

const requireConnectorCredential = (call: SignedInCall, { id, name }: ConnectorDefinition, credentialId?: string) =>
  requireChoiceCredential(call, credentialId, ({ connectorId }) => connectorId === id, name);

const listConnectorChoicesOperation = defineOperation({
  id: 'connectors.choices',
  method: 'POST',
  path: '/api/connectors/{id}/choices',
  summary: 'List what a parameter of an operation may hold',
  description:
    'For parameters with `x-choices` `{source, dependsOn}`: asks the service with the credential, which needs `credential:use`. ' +
    '`values` has the parameters in `dependsOn`. Of an OpenAPI document only a GET of the same document is asked. Answers are kept for a minute; `Cache-Control: no-cache` asks anew. A refusal of ' +
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
    const source = connector.custom
      ? await findCustomSource(connector, name)
      : Object.hasOwn(choices, name)
        ? choices[name]
        : undefined;
    if (!source) throw invalidFieldProblem('source', `is not a source of ${connector.name}`);
    if ('choices' in source) return refuseByField(async () => listFixedChoices(source, { search, cursor }));
    const isOpen = connector.custom?.needsCredential === false && credentialId === undefined;
    const credential = isOpen ? undefined : await requireConnectorCredential(call, connector, credentialId);
    const { needed, optional } = listSourceFields(source);
    const given = readSourceValues(values, needed, optional);
    const key = [credential?.id, credential?.version, id, connector.custom?.version, name, given, search, cursor];
    const asked = { connector, source, credentialId: credential?.id, values: given, search, cursor };
    return keepChoices(call, key, () => refuseByField(() => listConnectorChoices(workspaceId, asked)));
  },
});

export const connectorChoiceOperations = [listConnectorChoicesOperation];
