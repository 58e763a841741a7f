import { z } from 'zod';
import { Template, TemplatePage, TemplateQuery } from '@/contract/workflows/template';
import { operation, signedInAccess } from '@/server/api/operation';
import { jsonReply, readEffect } from '@/server/api/operation-parts';
import { notFound } from '@/server/errors/problem';
import { findTemplates, templateOf } from '@/server/templates';

const list = operation({
  id: 'templates.list',
  method: 'GET',
  path: '/api/templates',
  summary: 'List the templates',
  description: 'Workflows to begin with, each with an outline of its nodes.',
  tag: 'Workflows',
  access: signedInAccess(),
  effect: readEffect(),
  query: TemplateQuery,
  reply: jsonReply(TemplatePage),
  async run(_call, { query: { search, purpose, limit, offset } }) {
    const found = await findTemplates(search, purpose);
    return { data: found.slice(offset, offset + limit), total: found.length, limit, offset };
  },
});

const get = operation({
  id: 'templates.get',
  method: 'GET',
  path: '/api/templates/{id}',
  summary: 'Read a template',
  description: 'With its definition, and with what a workflow needs that is made from it.',
  tag: 'Workflows',
  access: signedInAccess(),
  effect: readEffect(),
  params: z.strictObject({ id: z.string() }),
  reply: jsonReply(Template),
  async run(_call, { params: { id } }) {
    const found = await templateOf(id);
    if (!found) throw notFound('This template');
    return found;
  },
});

export const templates = [list, get];
