import type { FormAccessMode, FormSubmitResponse } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { AddressIdCache, isPageAddress, type PageAddress } from '../pages/addresses';

/** A form that was found by its address, with the fields that its page needs. */
export interface AddressedForm {
  id: string;
  workflowId: string;
  workspaceId: string;
  path: string;
  title: string;
  description: string;
  fields: FormField[];
  access: FormAccessMode;
  response: FormSubmitResponse;
  /** The start node at which its runs begin; null: every start node. */
  startNodeId: string | null;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
}

const FORM_AT_ADDRESS_QUERY = {
  name: 'forms-at',
  text: `
    SELECT m.id, m.workflow_id AS "workflowId", f.workspace_id AS "workspaceId", m.path, m.title, m.description, m.fields,
      m.access, m.response, m.start_node_id AS "startNodeId", f.status AS "workflowStatus", f.version AS "workflowVersion"
    FROM form m JOIN workflow f ON f.id = m.workflow_id
    JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL
    WHERE m.workflow_id = $1 AND m.path = $2`,
};

/** Reads the form at an address as it is now; null: there is none. */
export async function readAddressedForm(address: PageAddress): Promise<AddressedForm | null> {
  if (!isPageAddress(address)) return null;
  const { rows } = await databasePool().query<AddressedForm>({
    values: [address.workflowId, address.path],
    ...FORM_AT_ADDRESS_QUERY,
  });
  return rows[0] ?? null;
}

export const formIdsByAddress = new AddressIdCache(readAddressedForm);
