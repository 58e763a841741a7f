import { Form, FormCreate, FormPage, FormUpdate, type FormResponse } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import { Prisma, type Form as Row } from '@/generated/prisma/client';
import { requireUse } from '@/server/access/references';
import { operation } from '@/server/api/operation';
import { jsonBody } from '@/server/api/operation-parts';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { conflict, invalid, notFound } from '@/server/errors/problem';
import { savedFieldIssues } from '@/server/forms/fields';
import { requireBelowCap } from '@/server/quotas/caps';
import { runtime } from '@/server/runtime';
import { defineWorkflowResource } from '../workflow-resource';
import { findWorkflow } from '../workflows/content';

const presentForm = (row: Row): Form => ({
  id: row.id,
  workflowId: row.workflowId,
  path: row.path,
  url: `${runtime().env.apiBaseUrl}/forms/${row.workflowId}/${row.path}`,
  title: row.title,
  description: row.description,
  fields: row.fields as unknown as FormField[],
  access: row.access as Form['access'],
  response: row.response as FormResponse,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A form of a workflow, if both are in the workspace. */
async function formIn(db: Db, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  await findWorkflow(db, workspaceId, workflowId);
  const row = await db.form.findFirst({ where: { id, workflowId } });
  if (!row) throw notFound('The form');
  return row;
}

/** Throws for fields that cannot be saved. */
function requireUsable(fields: readonly FormField[]): void {
  const issues = savedFieldIssues(fields).map(({ field, message }) => ({ field: `fields${field}`, message }));
  if (issues.length > 0) throw invalid(issues);
}

const asJson = (fields: FormField[]) => fields as unknown as Prisma.InputJsonArray;

function refuseDuplicate(error: unknown): never {
  if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') {
    throw conflict('The workflow has a form with this path already.');
  }
  throw error;
}

const resource = defineWorkflowResource({
  word: 'form',
  tag: 'Forms',
  schema: Form,
  page: FormPage,
  tableIn: (db) => db.form,
  find: formIn,
  toResponses: async (_db, rows) => rows.map(presentForm),
  toMetadata: ({ path }) => ({ path }),
});

const list = operation(resource.list);
const get = operation(resource.get);
const remove = operation(resource.remove);

const create = operation({
  ...resource.creation,
  summary: 'Create a form',
  description:
    'The page of the form is `/forms/{workflowId}/{path}`. Who posts it starts a run of the workflow, while that is active, ' +
    'with the values as input. So this needs `workflow:execute` as well.',
  body: jsonBody(FormCreate),
  async run({ db, caller, note }, { params: { id: workflowId }, body: { fields, ...rest } }) {
    await findWorkflow(db, caller.workspaceId, workflowId);
    await requireUse(db, caller, { resource: 'workflow', id: workflowId });
    requireUsable(fields);
    await requireBelowCap(db, 'forms', workflowId);
    const id = newId('form');
    note({ resourceId: id, metadata: { workflowId, path: rest.path, access: rest.access } });
    const data = { ...rest, fields: asJson(fields), id, workflowId, createdBy: caller.userId };
    return presentForm(await db.form.create({ data }).catch(refuseDuplicate));
  },
});

const update = operation({
  ...resource.change,
  description: 'Fields that are left out stay as they are. Needs `workflow:execute` as well.',
  body: jsonBody(FormUpdate),
  async run({ db, caller, note }, { params: { id, formId }, body: { fields, ...rest } }) {
    await formIn(db, caller.workspaceId, id, formId);
    const changed = [...Object.keys(rest), ...(fields ? ['fields'] : [])];
    note({ resourceId: formId, metadata: { workflowId: id, changed } });
    await requireUse(db, caller, { resource: 'workflow', id });
    if (fields) requireUsable(fields);
    const data = { ...rest, fields: fields && asJson(fields), updatedAt: new Date() };
    return presentForm(await db.form.update({ where: { id: formId }, data }).catch(refuseDuplicate));
  },
});

export const forms = [list, create, get, update, remove];

export { list as listForms, create as createForm, update as updateForm, remove as deleteForm };
