import { z } from 'zod';
import { WorkflowTemplate, ListTemplatesResponse, ListTemplatesQuery } from '@/contract/workflows/template';
import { defineOperation, signedInAccess } from '@/server/api/operation/operation';
import { jsonReply, readEffect } from '@/server/api/operation/operation-parts';
import { notFoundProblem } from '@/server/platform/errors/problem';
import { findTemplates, findTemplateById } from '@/server/workflow/templates';

const listTemplatesOperation = defineOperation({
  id: 'templates.list',
  method: 'GET',
  path: '/api/templates',
  summary: 'List the templates',
  description: 'Workflows to begin with, each with an outline of its nodes.',
  tag: 'Workflows',
  access: signedInAccess(),
  effect: readEffect(),
  query: ListTemplatesQuery,
  reply: jsonReply(ListTemplatesResponse),
  async run(_call, { query: { search, purpose, limit, offset } }) {
    const found = await findTemplates(search, purpose);
    return { data: found.slice(offset, offset + limit), total: found.length, limit, offset };
  },
});

const getTemplateOperation = defineOperation({
  id: 'templates.get',
  method: 'GET',
  path: '/api/templates/{id}',
  summary: 'Read a template',
  description: 'With its definition, and with what a workflow needs that is made from it.',
  tag: 'Workflows',
  access: signedInAccess(),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(WorkflowTemplate),
  async run(_call, { params: { id } }) {
    const found = await findTemplateById(id);
    if (!found) throw notFoundProblem('This template');
    return found;
  },
});

export const templateOperations = [listTemplatesOperation, getTemplateOperation];
