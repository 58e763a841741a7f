import type { FormAccess, FormResponse } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { pool } from '@/server/db/client';
import { AddressIds, isAddress, type Address } from '../pages/addresses';

/** The form behind an address, with what its page needs. */
export interface AddressedForm {
  id: string;
  workflowId: string;
  workspaceId: string;
  path: string;
  title: string;
  description: string;
  fields: FormField[];
  access: FormAccess;
  response: FormResponse;
  workflowStatus: WorkflowStatus;
  workflowVersion: number;
}

const AT = {
  name: 'forms-at',
  text: `
    SELECT m.id, m.workflow_id AS "workflowId", f.workspace_id AS "workspaceId", m.path, m.title, m.description, m.fields,
      m.access, m.response, f.status AS "workflowStatus", f.version AS "workflowVersion"
    FROM form m JOIN workflow f ON f.id = m.workflow_id
    JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL
    WHERE m.workflow_id = $1 AND m.path = $2`,
};

/** Reads the form at an address as it is now; null: there is none. */
export async function readForm(address: Address): Promise<AddressedForm | null> {
  if (!isAddress(address)) return null;
  const { rows } = await pool().query<AddressedForm>({ values: [address.workflowId, address.path], ...AT });
  return rows[0] ?? null;
}

export const formIds = new AddressIds(readForm);
