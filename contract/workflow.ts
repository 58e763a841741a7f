import { z } from 'zod';
import { ExecutionStatus } from './execution';
import { WORKFLOW_STATUSES } from './states';
import { FieldError } from './error';
import { JsonObject, PageQuery, Timestamp, page, text } from './text';

/** How often a node is tried: `maxAttempts` counts all tries; the wait doubles from `backoffMs`, at most 5 minutes. */
export const Retry = z.strictObject({
  maxAttempts: z.number().int().min(1).max(20).default(1).meta({
    description: 'All tries, the first included. A loop that is tried again keeps what its rounds have finished.',
  }),
  backoffMs: z.number().int().min(0).max(300_000).default(1000).meta({
    description: 'Milliseconds before the second try; each further wait is twice as long, at most five minutes.',
  }),
});
export type Retry = z.infer<typeof Retry>;

/** One step of a workflow. `config` depends on `type`; see GET /api/node-types. */
export const Node = z
  .strictObject({
    id: text(1, 100),
    type: text(1, 100),
    position: z.strictObject({ x: z.number(), y: z.number() }),
    config: JsonObject,
    name: text(0, 200).optional(),
    disabled: z.boolean().optional(),
    notes: text(0, 10_000).optional(),
    retry: Retry.optional(),
    timeoutMs: z.number().int().min(1).max(86_400_000).optional(),
    repeatable: z
      .boolean()
      .optional()
      .meta({
        description:
          'False: what it does outside is done at most once. It is not tried again, and if the service is lost while it ' +
          'is under way it fails with OUTCOME_UNKNOWN, as nobody can tell whether it was done.',
      }),
    credentialId: text(1, 100).optional(),
  })
  .meta({ id: 'Node' });
export type Node = z.infer<typeof Node>;

/** From a port of one node to a port of another. */
export const Connection = z
  .strictObject({
    sourceNode: text(1, 100),
    sourcePort: text(1, 100),
    targetNode: text(1, 100),
    targetPort: text(1, 100),
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;

/** What notes and groups may be coloured with. */
export const CanvasColor = z.enum(['yellow', 'green', 'blue', 'red', 'gray']).meta({ id: 'CanvasColor' });
export type CanvasColor = z.infer<typeof CanvasColor>;

const side = z.number().min(1).max(10_000);

/** A sheet of paper on the canvas: Markdown for those who read the workflow. Runs know nothing of it. */
export const Note = z
  .strictObject({
    id: text(1, 100),
    position: z.strictObject({ x: z.number(), y: z.number() }),
    size: z.strictObject({ width: side, height: side }),
    text: text(0, 10_000),
    color: CanvasColor,
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof Note>;

/** Nodes that belong together on the canvas, drawn in a frame or, collapsed, as one card. Runs know nothing of it. */
export const NodeGroup = z
  .strictObject({
    id: text(1, 100),
    name: text(0, 200),
    nodeIds: z.array(text(1, 100)).min(1).max(2000),
    color: CanvasColor.optional(),
    isCollapsed: z.boolean().optional(),
  })
  .meta({ id: 'NodeGroup' });
export type NodeGroup = z.infer<typeof NodeGroup>;

export const MAX_NOTES = 500;
export const MAX_GROUPS = 500;

/**
 * The graph that a run follows: acyclic, at most 2,000 nodes. `notes` and `groups` are for the eye alone, and absent
 * where there are none; an id belongs to one node, note or group.
 */
export const Definition = z
  .strictObject({
    nodes: z.array(Node).max(2000),
    connections: z.array(Connection).max(10_000),
    notes: z.array(Note).max(MAX_NOTES).optional(),
    groups: z.array(NodeGroup).max(MAX_GROUPS).optional(),
  })
  .meta({ id: 'Definition' });
export type Definition = z.infer<typeof Definition>;

export const WorkflowStatus = z.enum(WORKFLOW_STATUSES).meta({ id: 'WorkflowStatus' });
export type WorkflowStatus = z.infer<typeof WorkflowStatus>;

/** How many runs may be under way at a time, from their acceptance to their end; what is over waits, or is refused (409). */
export const RunLimit = z
  .strictObject({ limit: z.number().int().min(1).max(100_000), overflow: z.enum(['queue', 'refuse']).default('queue') })
  .meta({ id: 'RunLimit' });
export type RunLimit = z.infer<typeof RunLimit>;

export const Workflow = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    status: WorkflowStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    definition: Definition,
    version: z.number().int(),
    draftVersion: z.number().int().nullable().meta({
      description: 'A newer version that is not published yet; null: what was saved last is what runs',
    }),
    concurrency: RunLimit.nullable().meta({ description: 'Null: any number of runs at a time' }),
    workspaceId: z.string(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Workflow' });
export type Workflow = z.infer<typeof Workflow>;

/** A workflow as it was saved last: name, description, definition and `version` are those of its draft, if it has one. */
export const WorkflowDraft = Workflow.extend({
  liveVersion: z.number().int().meta({ description: 'The version that webhooks, schedules and other workflows run' }),
}).meta({ id: 'WorkflowDraft' });
export type WorkflowDraft = z.infer<typeof WorkflowDraft>;

export const WorkflowSummary = Workflow.omit({ definition: true }).meta({ id: 'WorkflowSummary' });
export type WorkflowSummary = z.infer<typeof WorkflowSummary>;

export const LastExecution = z
  .object({ id: z.string(), status: ExecutionStatus, startedAt: Timestamp })
  .meta({ id: 'LastExecution' });
export type LastExecution = z.infer<typeof LastExecution>;

/** A workflow in a list, with its newest run. */
export const WorkflowListed = WorkflowSummary.extend({
  lastExecution: LastExecution.nullable().meta({ description: 'Null: it never ran, or not for these eyes' }),
}).meta({ id: 'WorkflowListed' });
export type WorkflowListed = z.infer<typeof WorkflowListed>;

export const WorkflowPage = page(WorkflowListed).meta({ id: 'WorkflowPage' });

export const WorkflowQuery = PageQuery.extend({
  status: WorkflowStatus.optional(),
  search: text(0, 200).optional(),
});

/** What a client may say of a workflow. The server adds the check of `definition` against its node types. */
export const WorkflowFields = z.strictObject({
  name: text(1, 200),
  description: text(0, 10_000),
  status: WorkflowStatus,
  definition: Definition,
  concurrency: RunLimit.nullable(),
});

/** What keeps a version from being run. */
export const WorkflowGaps = z
  .object({ version: z.number().int(), gaps: z.array(FieldError) })
  .meta({ id: 'WorkflowGaps' });
export type WorkflowGaps = z.infer<typeof WorkflowGaps>;

export const WorkflowVersion = z
  .object({
    id: z.string(),
    version: z.number().int(),
    name: z.string(),
    createdAt: Timestamp,
    createdBy: z.string().nullable(),
    author: z.string().nullable().meta({ description: 'The name of who made it; null: nobody known any more' }),
    message: z.string(),
    publishedAt: Timestamp.nullable().meta({
      description: 'Since when triggers run it, or ran it; null: it was never the one that they run',
    }),
  })
  .meta({ id: 'WorkflowVersion' });
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;

export const WorkflowVersionPage = page(WorkflowVersion).meta({ id: 'WorkflowVersionPage' });

/** A version as it was: what restoring it brings back. */
export const WorkflowVersionWithDefinition = WorkflowVersion.extend({
  description: z.string(),
  definition: Definition,
}).meta({ id: 'WorkflowVersionWithDefinition' });

/** A word about a version; empty: none. */
export const VersionUpdate = z.strictObject({ message: text(0, 500) });

export const RestoreRequest = z.strictObject({ message: text(0, 500).optional() });
