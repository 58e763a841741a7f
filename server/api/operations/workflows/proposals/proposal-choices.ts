import { listConnectorChoices } from '@/server/connectors/calls/choice-page';
import { ChoiceRefusal } from '@/server/connectors/calls/choice-credential';
import { findBuiltInConnector } from '@/server/connectors';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import { findRefusedReferences } from '@/server/people/access/references';
import type { DatabaseClient } from '@/server/platform/db/client';
import type { NamedChoiceReader } from '@/server/workflow/builder/choice-lookup';

/**
 * Asks services what names stand for, with the accounts and the connectors that the caller may use. `signal`: the
 * caller has gone.
 */
export const createProposalChoiceReader =
  (db: DatabaseClient, caller: WorkspaceCaller, signal: AbortSignal): NamedChoiceReader =>
  async ({ connectorId, source: name, credentialId, values, search, cursor }) => {
    const connector = findBuiltInConnector(connectorId);
    const { choices = {} } = connector ?? {};
    const source = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (!connector || !source || 'choices' in source) return 'the service does not list it';
    const refused = await findRefusedReferences(db, caller, [
      { resource: 'credential', id: credentialId },
      { resource: 'connector', id: connectorId },
    ]);
    // An account is never sent to another service than its own.
    const own = { id: credentialId, workspaceId: caller.workspaceId, connectorId };
    if (refused.length > 0 || !(await db.credential.findFirst({ where: own, select: { id: true } })))
      return `the account is none of ${connector.name} that you may use`;
    try {
      const request = { connector, source, credentialId, values, search, cursor, signal };
      return await listConnectorChoices(caller.workspaceId, request);
    } catch (error) {
      if (error instanceof ChoiceRefusal) return `${connector.name} did not list it: ${error.message}`;
      throw error;
    }
  };
