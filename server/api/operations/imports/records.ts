import { z } from 'zod';
import { SetWorkflowImportRequest, WorkflowImportResponse } from '@/contract/workflows/n8n-import';
import type { Prisma, WorkflowImport as Row } from '@/generated/prisma/client';
import { memberAccess, defineOperation } from '@/server/api/operation/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { findWorkflow } from '../workflows/workflow-rows';
import { maskPlainSecrets } from './mask-secrets';

const IMPORT_RECORD_TAG = 'Imports';
const IMPORT_RECORD_PATH = '/api/workflows/{id}/import';
const ImportRecordParams = z.strictObject({ id: z.string() });

const toImportResponse = ({ workflowId: _, importedAt, ...row }: Row): WorkflowImportResponse => ({
  ...row,
  source: 'n8n',
  nodes: row.nodes as WorkflowImportResponse['nodes'],
  report: row.report as WorkflowImportResponse['report'],
  importedAt: importedAt.toISOString(),
});

const getWorkflowImportOperation = defineOperation({
  id: 'imports.get',
  method: 'GET',
  path: IMPORT_RECORD_PATH,
  summary: 'Read where a workflow was imported from',
  description:
    'What is to do, and the parameters that its nodes had there, for those who may change the workflow. 404: it was not imported.',
  tag: IMPORT_RECORD_TAG,
  access: memberAccess('workflow', 'update'),
  effect: readEffect(),
  params: ImportRecordParams,
  reply: jsonReply(WorkflowImportResponse),
  async run({ db, caller }, { params: { id } }) {
    await findWorkflow(db, caller.workspaceId, id);
    const row = await db.workflowImport.findUnique({ where: { workflowId: id } });
    if (!row) throw notFoundProblem('The import');
    return toImportResponse(row);
  },
});

const setWorkflowImportOperation = defineOperation({
  id: 'imports.set',
  method: 'PUT',
  path: IMPORT_RECORD_PATH,
  summary: 'Keep where a workflow was imported from',
  description:
    'What looks like a secret in the parameters is masked before it is stored. They are part of no export of the workflow.',
  tag: IMPORT_RECORD_TAG,
  access: memberAccess('workflow', 'update'),
  effect: writeEffect('configuration_change'),
  params: ImportRecordParams,
  body: jsonBody(SetWorkflowImportRequest, { maxBytes: 4 * 1024 * 1024, maxValues: 100_000 }),
  reply: jsonReply(WorkflowImportResponse, { resource: WorkflowImportResponse }),
  async run({ db, caller, note }, { params: { id }, body: { nodes, report, ...about } }) {
    await findWorkflow(db, caller.workspaceId, id);
    note({ resourceId: id, metadata: { importedFrom: about.source } });
    const masked = nodes.map((node) => ({ ...node, parameters: maskPlainSecrets(node.parameters) }));
    const data = {
      ...about,
      nodes: masked as Prisma.InputJsonValue,
      report: report as Prisma.InputJsonValue,
    };
    const row = await db.workflowImport.upsert({
      where: { workflowId: id },
      create: { workflowId: id, importedBy: caller.userId, ...data },
      // When it was imported, and by whom, stays.
      update: data,
    });
    return toImportResponse(row);
  },
});

export const importRecordOperations = [getWorkflowImportOperation, setWorkflowImportOperation];
