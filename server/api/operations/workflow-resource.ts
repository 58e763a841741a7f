import { z } from 'zod';
import { PaginationQuery } from '@/contract/text';
import { memberAccess, type SignedInCall } from '@/server/api/operation/operation';
import { jsonReply, readEffect, writeEffect } from '@/server/api/operation/operation-parts';
import type { OperationTag } from '@/server/api/operation/tags';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findWorkflow } from './workflows/workflow-rows';

type Word = 'form' | 'chat' | 'schedule' | 'poll';

/** The part of a table of Prisma that lists and deletes objects of a workflow. */
interface ObjectTable<Row> {
  findMany(query: {
    where: { workflowId: string };
    orderBy: { createdAt?: 'desc'; id?: 'desc' }[];
    take: number;
    skip: number;
    omit?: Record<string, true>;
  }): Promise<Row[]>;
  count(query: { where: { workflowId: string } }): Promise<number>;
  delete(query: { where: { id: string } }): Promise<unknown>;
}

/** Objects that belong to a workflow, such as its forms. */
interface WorkflowResource<W extends Word, Row, Schema extends z.ZodType, Page extends z.ZodType> {
  word: W;
  tag: OperationTag;
  schema: Schema;
  page: Page;
  tableIn(db: DatabaseClient): ObjectTable<Row>;
  /** Columns that `toResponses` reads by itself, because they may be large. */
  omit?: Record<string, true>;
  /** Throws a 404 for an object that the workspace does not have. */
  find(db: DatabaseClient, workspaceId: string, workflowId: string, id: string): Promise<Row>;
  toResponses(db: DatabaseClient, rows: Row[]): Promise<z.input<Schema>[]>;
  /** What the audit entry of a deletion says about the object. */
  toMetadata(row: Row): Record<string, unknown>;
}

/**
 * The records of the operations that read and delete objects of a workflow, and what is the same for all that create
 * and change them: their address, permission, effect and reply.
 */
export function defineWorkflowResource<const W extends Word, Row, Schema extends z.ZodType, Page extends z.ZodType>({
  word,
  tag,
  schema,
  page,
  tableIn,
  omit,
  find,
  toResponses,
  toMetadata,
}: WorkflowResource<W, Row, Schema, Page>) {
  const path = `/api/workflows/{id}/${word}s`;
  const objectPath = `${path}/{${word}Id}`;
  const params = z.strictObject({ id: z.string() });
  // The compiler does not see the name of a computed field.
  const objectParams = z.strictObject({ id: z.string(), [`${word}Id`]: z.string() }) as unknown as z.ZodObject<
    Record<'id' | `${W}Id`, z.ZodString>
  >;
  type Ids = Record<'id' | `${W}Id`, string>;
  const idsIn = (given: Ids) => ({ workflowId: given.id, id: given[`${word}Id`] });
  const objectReply = jsonReply(schema);
  const pageReply = jsonReply(page);
  const createdReply = jsonReply(schema, { status: 201, location: `/api/workflows/{workflowId}/${word}s/{id}` });
  return {
    list: {
      id: `${word}s.list`,
      method: 'GET',
      path,
      summary: `List the ${word}s of a workflow`,
      tag,
      access: memberAccess(word, 'read'),
      effect: readEffect(),
      params,
      query: PaginationQuery,
      reply: pageReply,
      async run(
        { db, caller }: SignedInCall,
        { params: { id }, query: { limit, offset } }: { params: { id: string }; query: PaginationQuery },
      ) {
        await findWorkflow(db, caller.workspaceId, id);
        const where = { workflowId: id };
        const [rows, total] = await Promise.all([
          tableIn(db).findMany({
            where,
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            take: limit,
            skip: offset,
            omit,
          }),
          tableIn(db).count({ where }),
        ]);
        return { data: await toResponses(db, rows), total, limit, offset } as z.input<Page>;
      },
    },
    get: {
      id: `${word}s.get`,
      method: 'GET',
      path: objectPath,
      summary: `Read a ${word}`,
      tag,
      access: memberAccess(word, 'read'),
      effect: readEffect(),
      params: objectParams,
      reply: objectReply,
      async run({ db, caller }: SignedInCall, input: { params: Ids }) {
        const { workflowId, id } = idsIn(input.params);
        const [response] = await toResponses(db, [await find(db, caller.workspaceId, workflowId, id)]);
        return response as z.input<Schema>;
      },
    },
    remove: {
      id: `${word}s.delete`,
      method: 'DELETE',
      path: objectPath,
      summary: `Delete a ${word}`,
      tag,
      access: memberAccess(word, 'delete'),
      effect: writeEffect('configuration_change'),
      params: objectParams,
      async run({ db, caller, note }: SignedInCall, input: { params: Ids }) {
        const { workflowId, id } = idsIn(input.params);
        note({ resourceId: id });
        const row = await find(db, caller.workspaceId, workflowId, id);
        note({ metadata: { workflowId, ...toMetadata(row) } });
        await tableIn(db).delete({ where: { id } });
      },
    },
    creation: {
      id: `${word}s.create`,
      method: 'POST',
      path,
      tag,
      access: memberAccess(word, 'create'),
      effect: writeEffect('configuration_change'),
      params,
      reply: createdReply,
    },
    change: {
      id: `${word}s.update`,
      method: 'PUT',
      otherMethods: ['PATCH'],
      path: objectPath,
      summary: `Change a ${word}`,
      tag,
      access: memberAccess(word, 'update'),
      effect: writeEffect('configuration_change'),
      params: objectParams,
      reply: objectReply,
    },
  } as const;
}
