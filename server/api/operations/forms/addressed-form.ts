import type { FormAccessMode, FormSubmitResponse } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { databasePool } from '@/server/platform/db/client';
import { SEND_BUTTON_TEXT, type ShownForm } from './form-page';
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

const SELECT_FORM_SQL = `
    SELECT m.id, m.workflow_id AS "workflowId", f.workspace_id AS "workspaceId", m.path, m.title, m.description, m.fields,
      m.access, m.response, m.start_node_id AS "startNodeId", f.status AS "workflowStatus", f.version AS "workflowVersion"
    FROM form m JOIN workflow f ON f.id = m.workflow_id
    JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL`;

const FORM_AT_ADDRESS_QUERY = {
  name: 'forms-at',
  text: `${SELECT_FORM_SQL} WHERE m.workflow_id = $1 AND m.path = $2`,
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

/** Reads the form that started a run, with its present settings; null: it was deleted. */
export async function readFormOfRun(workflowId: string, formId: string): Promise<AddressedForm | null> {
  const { rows } = await databasePool().query<AddressedForm>({
    name: 'forms-of-run',
    text: `${SELECT_FORM_SQL} WHERE m.workflow_id = $1 AND m.id = $2`,
    values: [workflowId, formId],
  });
  return rows[0] ?? null;
}

export const toShownForm = ({ id, title, description, fields, response }: AddressedForm): ShownForm => ({
  tokenId: id,
  title,
  description,
  buttonText: SEND_BUTTON_TEXT,
  fields,
  ...(response.mode === 'redirect' ? { redirectUrl: response.url } : {}),
});
