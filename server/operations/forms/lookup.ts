import type { FormAccess, FormResponse } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { Cache } from '@/server/cache';
import { pool } from '@/server/db/client';

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

interface Address {
  workflowId: string;
  path: string;
}

/** The format of addresses. Anything else does not exist and is not looked up. */
const ID = /^[\w-]{1,100}$/;
const PATH = /^[a-z0-9_/-]{1,100}$/;

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
export async function readForm({ workflowId, path }: Address): Promise<AddressedForm | null> {
  if (!ID.test(workflowId) || !PATH.test(path)) return null;
  const { rows } = await pool().query<AddressedForm>({ values: [workflowId, path], ...AT });
  return rows[0] ?? null;
}

/** Lifetime of a cached id, in milliseconds. */
const FRESH_MS = 1000;
const ids = new Cache<string, { id: Promise<string | undefined>; at: number }>(1000);

/** The id of the form at an address, at most a second old: a flood of calls reads it once a second. */
export function formIdAt(address: Address): Promise<string | undefined> {
  const { workflowId, path } = address;
  if (!ID.test(workflowId) || !PATH.test(path)) return Promise.resolve(undefined);
  const entry = ids.get(`${workflowId}/${path}`, () => ({ id: Promise.resolve(undefined), at: -FRESH_MS }));
  if (performance.now() - entry.at >= FRESH_MS) {
    entry.at = performance.now();
    entry.id = readForm(address).then((form) => form?.id);
    // A failed reading is repeated by the next call.
    entry.id.catch(() => (entry.at = -FRESH_MS));
  }
  return entry.id;
}
