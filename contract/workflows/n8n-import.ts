import { z } from 'zod';
import { JsonObject, Timestamp, asStored, boundedText } from '../text';

/** A workflow keeps the parameters of at most this many nodes. */
const MAX_KEPT_NODES = 500;
/** Runs that one request may read. */
export const MAX_READ_N8N_RUNS = 20;

const N8nServerFields = {
  url: boundedText(1, 2000).meta({
    description: 'The address of n8n, such as `https://n8n.example.com`',
    example: 'https://n8n.example.com',
  }),
  key: boundedText(1, 5000).meta({
    description: 'A key of its API (*Settings → n8n API*). It is used for this request, and is not stored',
    example: 'eyJ…',
  }),
};

export const ListN8nWorkflowsRequest = z.strictObject({
  ...N8nServerFields,
  cursor: boundedText(1, 2000).optional().describe('The `nextCursor` of the page before'),
});

export const ListN8nWorkflowsResponse = z
  .object({
    data: z.array(z.unknown()).describe('The workflows as n8n exports them, without pinned data'),
    nextCursor: z.string().nullable().describe('For the next page; null: this is the last one'),
    imported: z
      .array(
        z.object({
          sourceId: z.string().describe('The id of the workflow in n8n'),
          workflowId: z.string().describe('The id of the workflow that was made of it'),
        }),
      )
      .describe('Those of the page that were imported from this address before, as far as the caller may see them'),
  })
  .meta({ id: 'N8nWorkflowPage', description: 'A page of the workflows of a running n8n' });

export const ReadN8nWorkflowRequest = z.strictObject({
  ...N8nServerFields,
  workflowId: z
    .string()
    .regex(/^[\w-]{1,100}$/, { error: 'must be the id of a workflow of n8n' })
    .meta({ description: 'The id of the workflow in n8n', example: '2tUt1wbLX592XDdX' }),
  runs: z
    .number()
    .int()
    .min(0)
    .max(MAX_READ_N8N_RUNS)
    .default(5)
    .meta({ description: 'How many of its last finished runs are read', example: 5 }),
});

export const N8nWorkflowWithRuns = z
  .object({
    workflow: z.unknown().meta({ description: 'The workflow as n8n exports it, with pinned data' }),
    runs: z.array(z.unknown()).describe('Its last finished runs with their data, the newest first'),
    runsLeftOut: z.number().int().describe('Runs that were too large, or for which there was no time'),
  })
  .meta({ id: 'N8nWorkflow', description: 'A workflow of a running n8n, with its last runs' });

/** A node as it was where the workflow comes from. */
const ImportedNode = z
  .strictObject({
    name: boundedText(0, 500).describe('Its name there'),
    type: boundedText(0, 500).describe('Its type there'),
    version: z.number().describe('The version of its type'),
    nodeId: boundedText(1, 200).nullable().describe('The node that replaces it; null: none'),
    parameters: JsonObject.describe('Its parameters there. What looks like a secret is masked'),
  })
  .meta({ id: 'ImportedNode', description: 'A node as it was where the workflow comes from' });

/** What a person has to know, or to do, about an imported workflow. */
const ImportFinding = z
  .strictObject({
    kind: z
      .enum(['account', 'choose', 'check', 'replace', 'know'])
      .describe(
        'An account to connect, a field to fill that is empty in the source, too, or names a workflow that is not imported, something to check, a node to replace, or worth knowing',
      ),
    node: boundedText(0, 500).describe('The name of the node'),
    field: boundedText(1, 500).nullable().describe('The field that it is about; null: the whole node'),
    message: boundedText(0, 5000).describe('What is to do, and why'),
  })
  .meta({ id: 'ImportFinding', description: 'What a person has to know, or to do, about an imported workflow' });
export type ImportFinding = z.infer<typeof ImportFinding>;

const WorkflowImportFields = {
  source: z.enum(['n8n']).describe('The product that it comes from'),
  url: boundedText(1, 2000).nullable().default(null).describe('The address of the installation; null: a file'),
  sourceId: boundedText(1, 200).nullable().default(null).describe('The id of the workflow there; null: unknown'),
  wasActive: z.boolean().default(false).describe('Whether it was active there'),
  nodes: z.array(ImportedNode).max(MAX_KEPT_NODES).describe('Its nodes there'),
  report: z.array(ImportFinding).max(2000).describe('What is to do'),
};

export const SetWorkflowImportRequest = z.strictObject(WorkflowImportFields);

export const WorkflowImportResponse = z
  .object({
    ...WorkflowImportFields,
    nodes: asStored(WorkflowImportFields.nodes),
    report: asStored(WorkflowImportFields.report),
    importedAt: Timestamp.describe('When it was imported'),
    importedBy: z.string().nullable().describe('Id of the person who imported it'),
  })
  .meta({ id: 'WorkflowImport', description: 'Where a workflow was imported from, and what is to do' });
export type WorkflowImportResponse = z.infer<typeof WorkflowImportResponse>;
