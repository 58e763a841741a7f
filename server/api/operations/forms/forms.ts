import {
  FormTrigger,
  CreateFormRequest,
  ListFormsResponse,
  UpdateFormRequest,
  type FormSubmitResponse,
} from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import { Prisma, type Form as Row } from '@/generated/prisma/client';
import { requireReferenceUse } from '@/server/people/access/references';
import { defineOperation } from '@/server/api/operation/operation';
import { jsonBody } from '@/server/api/operation/operation-parts';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { conflictProblem, invalidRequestProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { savedFieldIssues } from '@/server/workflow/forms/fields';
import { requireBelowCap } from '@/server/platform/quotas/caps';
import { getRuntime } from '@/server/platform/runtime';
import { defineWorkflowResource } from '../workflow-resource';
import { requireStartNode } from '../workflows/start-nodes';
import { findWorkflow } from '../workflows/workflow-rows';

const toFormResponse = (row: Row): FormTrigger => ({
  id: row.id,
  workflowId: row.workflowId,
  path: row.path,
  url: `${getRuntime().env.apiBaseUrl}/forms/${row.workflowId}/${row.path}`,
  title: row.title,
  description: row.description,
  fields: row.fields as unknown as FormField[],
  access: row.access as FormTrigger['access'],
  response: row.response as FormSubmitResponse,
  startNodeId: row.startNodeId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Returns a form of a workflow. Throws 404 unless both are in the workspace. */
async function findWorkflowForm(db: DatabaseClient, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  await findWorkflow(db, workspaceId, workflowId);
  const row = await db.form.findFirst({ where: { id, workflowId } });
  if (!row) throw notFoundProblem('The form');
  return row;
}

/** Throws for fields that cannot be saved. */
function requireValidFields(fields: readonly FormField[]): void {
  const issues = savedFieldIssues(fields).map(({ field, message }) => ({ field: `fields${field}`, message }));
  if (issues.length > 0) throw invalidRequestProblem(issues);
}

const toFieldsJson = (fields: FormField[]) => fields as unknown as Prisma.InputJsonArray;

function rejectDuplicateFormPath(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflictProblem('The workflow has a form with this path already.');
  }
  throw error;
}

const resource = defineWorkflowResource({
  word: 'form',
  tag: 'Forms',
  schema: FormTrigger,
  page: ListFormsResponse,
  tableIn: (db) => db.form,
  find: findWorkflowForm,
  toResponses: async (_db, rows) => rows.map(toFormResponse),
  toMetadata: ({ path }) => ({ path }),
});

const listFormsOperation = defineOperation(resource.list);
const getFormOperation = defineOperation(resource.get);
const deleteFormOperation = defineOperation(resource.remove);

const createFormOperation = defineOperation({
  ...resource.creation,
  summary: 'Create a form',
  description:
    'The page of the form is `/forms/{workflowId}/{path}`. Who posts it starts a run of the workflow, while that is active, ' +
    'with the values as input. So this needs `workflow:execute` as well.',
  body: jsonBody(CreateFormRequest),
  async run({ db, caller, note }, { params: { id: workflowId }, body: { fields, ...rest } }) {
    const workflow = await findWorkflow(db, caller.workspaceId, workflowId);
    await requireReferenceUse(db, caller, { resource: 'workflow', id: workflowId });
    requireValidFields(fields);
    await requireStartNode(db, workflow, rest.startNodeId);
    await requireBelowCap(db, 'forms', workflowId);
    const id = generateId('form');
    note({ resourceId: id, metadata: { workflowId, path: rest.path, access: rest.access } });
    const data = { ...rest, fields: toFieldsJson(fields), id, workflowId, createdBy: caller.userId };
    return toFormResponse(await db.form.create({ data }).catch(rejectDuplicateFormPath));
  },
});

const updateFormOperation = defineOperation({
  ...resource.change,
  description: 'Fields that are left out stay as they are. Needs `workflow:execute` as well.',
  body: jsonBody(UpdateFormRequest),
  async run({ db, caller, note }, { params: { id, formId }, body: { fields, ...rest } }) {
    await findWorkflowForm(db, caller.workspaceId, id, formId);
    const changed = [...Object.keys(rest), ...(fields ? ['fields'] : [])];
    note({ resourceId: formId, metadata: { workflowId: id, changed } });
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    await requireStartNode(db, await findWorkflow(db, caller.workspaceId, id), rest.startNodeId);
    if (fields) requireValidFields(fields);
    const data = { ...rest, fields: fields && toFieldsJson(fields), updatedAt: new Date() };
    return toFormResponse(await db.form.update({ where: { id: formId }, data }).catch(rejectDuplicateFormPath));
  },
});

export const formOperations = [
  listFormsOperation,
  createFormOperation,
  getFormOperation,
  updateFormOperation,
  deleteFormOperation,
];

export { listFormsOperation, createFormOperation, updateFormOperation, deleteFormOperation };
