import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { ExecutionStatus } from '../execution';
import { SAVE_DATA_MODES, WORKFLOW_STATUSES } from '../states';
import { NodeLabels } from './node-labels';
import { TagNames } from '../tags';
import { UnreviewedFields } from './converted-field';
import { ExpressionLanguageField, ExpressionPreludeField } from './expression-language-field';
import { ListedTrigger } from './listed-trigger';
import { NamedListSortField } from '../list-sort';
import { NodeEach } from './each';
import { JsonObject, CursorPaginationQuery, Timestamp, cursorPageSchema, pageSchema, boundedText } from '../text';

/** Retries of a node: `maxAttempts` includes the first attempt; exponential backoff, at most 5 minutes. */
export const RetryPolicy = z
  .strictObject({
    maxAttempts: z.number().int().min(1).max(20).default(1).meta({
      description: 'Number of attempts, the first included. A retried loop keeps the results of its completed rounds.',
    }),
    backoffMs: z.number().int().min(0).max(300_000).default(1000).meta({
      description: 'Milliseconds before the second attempt; doubles with each further attempt, up to five minutes.',
    }),
  })
  .meta({ id: 'Retry', description: 'Retries of a node, with exponential backoff' });
export type RetryPolicy = z.infer<typeof RetryPolicy>;

const CanvasPosition = z
  .strictObject({ x: z.number().describe('Pixels to the right'), y: z.number().describe('Pixels down') })
  .meta({ id: 'Position', description: 'A place on the canvas, in pixels' });

/** One step of a workflow. `config` depends on `type`; see GET /api/node-types. */
export const WorkflowNode = z
  .strictObject({
    id: boundedText(1, 100).describe('Unique in the definition; connections and expressions use it'),
    type: boundedText(1, 100).describe('One of the node types, such as `http_request`'),
    position: CanvasPosition,
    config: JsonObject.describe('Depends on the type'),
    name: boundedText(0, 200).optional().describe('Shown on the canvas; absent: the title of the type'),
    disabled: z.boolean().optional().describe('True: the node is skipped, and its input is its output'),
    notes: boundedText(0, 10_000).optional().describe('For people who edit the node'),
    retry: RetryPolicy.optional(),
    timeoutMs: z.number().int().min(1).max(86_400_000).optional().describe('Milliseconds after which it is ended'),
    repeatable: z
      .boolean()
      .optional()
      .meta({
        description:
          'False: side effects happen at most once. The node is not retried, and if the service stops while it ' +
          'is in progress it fails with OUTCOME_UNKNOWN.',
      }),
    credentialId: boundedText(1, 100).optional().describe('The credential that the node uses'),
    each: NodeEach.optional(),
    labels: NodeLabels.optional(),
    unreviewed: UnreviewedFields.optional(),
  })
  .meta({ id: 'Node', description: 'One step of a workflow; `type` decides what `config` holds' });
export type WorkflowNode = z.infer<typeof WorkflowNode>;

/** A connection from a port of one node to a port of another. */
export const NodeConnection = z
  .strictObject({
    sourceNode: boundedText(1, 100).describe('The node at which the connection begins'),
    sourcePort: boundedText(1, 100).describe('The output port at which the connection begins'),
    targetNode: boundedText(1, 100).describe('The node at which the connection ends'),
    targetPort: boundedText(1, 100).describe('The input port at which the connection ends'),
  })
  .meta({ id: 'Connection', description: 'A connection from a port of one node to a port of another' });
export type NodeConnection = z.infer<typeof NodeConnection>;

/** Colours of notes and groups. */
export const CanvasColor = z
  .enum(['yellow', 'green', 'blue', 'red', 'gray'])
  .meta({ id: 'CanvasColor', description: 'A colour of a note or group' });
export type CanvasColor = z.infer<typeof CanvasColor>;

const noteSideLength = z.number().min(1).max(10_000);

/** A note on the canvas: Markdown documentation without effect on runs. */
export const CanvasNote = z
  .strictObject({
    id: boundedText(1, 100).describe('Unique in the definition'),
    position: CanvasPosition,
    size: z
      .strictObject({
        width: noteSideLength.describe('The width in pixels'),
        height: noteSideLength.describe('The height in pixels'),
      })
      .describe('The size in pixels'),
    text: boundedText(0, 10_000).describe('Markdown'),
    color: CanvasColor,
  })
  .meta({ id: 'Note', description: 'A note on the canvas, in Markdown' });
export type CanvasNote = z.infer<typeof CanvasNote>;

/** A group of nodes on the canvas: a frame or, collapsed, one card. Without effect on runs. */
export const NodeGroup = z
  .strictObject({
    id: boundedText(1, 100).describe('Unique in the definition'),
    name: boundedText(0, 200).describe('Shown at the top of the frame'),
    nodeIds: z.array(boundedText(1, 100)).min(1).max(2000).describe('The nodes of the group'),
    color: CanvasColor.optional(),
    isCollapsed: z.boolean().optional().describe('True: the group is drawn as one card'),
  })
  .meta({ id: 'NodeGroup', description: 'A group of nodes on the canvas: a frame or, collapsed, one card' });
export type NodeGroup = z.infer<typeof NodeGroup>;

export const MAX_CANVAS_NOTES = 500;
export const MAX_NODE_GROUPS = 500;

/** An acyclic graph. `notes` and `groups` have no effect on runs; ids are unique across nodes, notes and groups. */
export const WorkflowDefinition = z
  .strictObject({
    nodes: z.array(WorkflowNode).max(2000).describe('Steps of the graph, at most 2,000'),
    connections: z.array(NodeConnection).max(10_000).describe('The connections between the nodes'),
    notes: z.array(CanvasNote).max(MAX_CANVAS_NOTES).optional().describe('Texts on the canvas'),
    groups: z.array(NodeGroup).max(MAX_NODE_GROUPS).optional().describe('Groups of nodes on the canvas'),
    language: ExpressionLanguageField.optional().describe(
      'Of all expressions, also in inner definitions; absent: `jsonata`',
    ),
    prelude: ExpressionPreludeField.optional().describe('Only with `javascript`; absent: no other names'),
  })
  .meta({
    id: 'Definition',
    description: 'The graph of a workflow: acyclic, at most 2,000 nodes. Notes and groups have no effect on runs.',
  });
export type WorkflowDefinition = z.infer<typeof WorkflowDefinition>;

export const WorkflowStatus = z
  .enum(WORKFLOW_STATUSES)
  .meta({ id: 'WorkflowStatus', description: 'Only an active workflow is started by its triggers' });
export type WorkflowStatus = z.infer<typeof WorkflowStatus>;

/** Limit of concurrent runs, counted from acceptance to end; further runs wait, or are refused (409). */
export const ConcurrencyLimit = z
  .strictObject({
    limit: z.number().int().min(1).max(100_000).describe('The maximum number of concurrent runs'),
    overflow: z.enum(['queue', 'refuse']).default('queue').describe('Whether further runs wait or are refused'),
  })
  .meta({ id: 'RunLimit', description: 'A limit of concurrent runs, counted from acceptance to end' });
export type ConcurrencyLimit = z.infer<typeof ConcurrencyLimit>;

/** Settings around the graph. They hold for every version, and for runs that are accepted after a change. */
export const WorkflowSettings = z
  .object({
    errorWorkflowId: boundedText(1, 100).nullable().meta({
      description:
        'The workflow that a failed run starts, with trigger `error`. Null: that of the workspace. A cancelled run starts none',
    }),
    timeZone: boundedText(1, 100).nullable().meta({
      description: 'IANA name: the zone of schedules that are created without one. Null: UTC',
      example: 'Europe/Berlin',
    }),
    timeoutMs: z
      .number()
      .int()
      .min(1)
      .max(366 * 86_400_000)
      .nullable()
      .meta({
        description:
          'Milliseconds after which a run fails with TIMEOUT, waits included, counted from its acceptance or, if it waits ' +
          'for room, from the end of that wait. Null: no limit',
      }),
    concurrency: z.number().int().min(1).max(100_000).nullable().meta({
      description: 'The number of `concurrency`: runs under way at a time. Null: no limit',
    }),
    retentionDays: z.number().int().min(1).max(36_500).nullable().meta({
      description: 'Days that finished runs are kept. Null: as long as the workspace keeps them',
    }),
    saveData: z.enum(SAVE_DATA_MODES).meta({
      description:
        'The finished runs whose input, output, node results and log are kept. Those of others are removed five seconds ' +
        'after the run ends; the run itself stays',
    }),
    requireTests: z.boolean().meta({ description: 'A version is published only after all tests have passed on it' }),
    isTool: z.boolean().meta({ description: 'While it is active, programs and agents can call it over MCP' }),
    startNodeId: boundedText(1, 100).nullable().meta({
      description:
        'Id of the start node at which calls over MCP begin, and runs that follow the failure of another workflow. Null: at every start node',
      example: null,
    }),
  })
  .meta({ id: 'WorkflowSettings', description: 'Settings of a workflow. They hold for every version.' });
export type WorkflowSettings = z.infer<typeof WorkflowSettings>;

export const DEFAULT_WORKFLOW_SETTINGS: WorkflowSettings = {
  errorWorkflowId: null,
  timeZone: null,
  timeoutMs: null,
  concurrency: null,
  retentionDays: null,
  saveData: 'all',
  requireTests: false,
  isTool: false,
  startNodeId: null,
};

/** A change of settings, in which absent fields keep their value. */
export const UpdateWorkflowSettings = z.strictObject(WorkflowSettings.shape).partial();
export type UpdateWorkflowSettings = z.infer<typeof UpdateWorkflowSettings>;

/** The folder of a workflow. Null is the top level. */
const nullableFolderId = boundedText(1, 100).nullable();

export const WorkflowResponse = z
  .object({
    id: ObjectId,
    name: z.string().describe('What people call it'),
    description: z.string().describe('What it is for; may be empty'),
    status: WorkflowStatus,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    definition: WorkflowDefinition,
    version: z.number().int().describe('The version, from 1'),
    draftVersion: z.number().int().nullable().meta({
      description: 'A newer, unpublished version; null: the last saved version is live',
    }),
    concurrency: ConcurrencyLimit.nullable().meta({ description: 'Null: no limit of concurrent runs' }),
    settings: WorkflowSettings,
    tags: z.array(z.string()).describe('Words that group workflows'),
    folderId: z.string().nullable().meta({ description: 'Null: the top level', example: null }),
    isFavorite: z.boolean().meta({ description: 'Of the caller' }),
    workspaceId: z.string().describe('Where it belongs'),
    createdBy: CreatedBy,
  })
  .meta({ id: 'Workflow', description: 'A workflow with its newest definition' });
export type WorkflowResponse = z.infer<typeof WorkflowResponse>;

/** The last saved state of a workflow: name, description, definition and `version` of its draft, if it has one. */
export const WorkflowDraft = WorkflowResponse.extend({
  liveVersion: z.number().int().meta({ description: 'The version that webhooks, schedules and other workflows run' }),
}).meta({ id: 'WorkflowDraft', description: 'A workflow that was saved, with what it still lacks before it can run' });
export type WorkflowDraft = z.infer<typeof WorkflowDraft>;

export const WorkflowSummary = WorkflowResponse.omit({ definition: true }).meta({ id: 'WorkflowSummary' });
export type WorkflowSummary = z.infer<typeof WorkflowSummary>;

export const LastExecution = z
  .object({
    id: z.string().describe('Which run: `/api/executions/{id}`'),
    status: ExecutionStatus,
    startedAt: Timestamp.describe('When it started; null: it has not'),
  })
  .meta({ id: 'LastExecution', description: 'The newest run of the workflow' });
export type LastExecution = z.infer<typeof LastExecution>;

/** A workflow in a list, with its latest run. */
export const WorkflowListItem = WorkflowSummary.extend({
  owner: z.string().nullable().meta({ description: 'Name of its creator; null: unknown', example: 'Ada' }),
  lastExecution: LastExecution.nullable().meta({ description: 'Null: no run that the caller may read' }),
  hasInvalidDraft: z.boolean().meta({ description: 'Whether someone has changes with errors' }),
  triggers: z.array(ListedTrigger).describe('What can start it, each kind once'),
}).meta({ id: 'WorkflowListed', description: 'A workflow in the list, without its definition' });
export type WorkflowListItem = z.infer<typeof WorkflowListItem>;

export const ListWorkflowsResponse = cursorPageSchema(WorkflowListItem).meta({ id: 'WorkflowPage' });

export const ListWorkflowsQuery = CursorPaginationQuery.extend({
  status: WorkflowStatus.optional().describe('Only those with this state'),
  search: boundedText(0, 200).optional().meta({ description: 'Part of the name, case-insensitive' }),
  tag: boundedText(1, 50).optional().meta({ description: 'Only workflows with this tag' }),
  folderId: boundedText(1, 100).optional().meta({
    description: 'Only workflows directly in this folder; `none`: those in no folder',
  }),
  favorite: z.enum(['true', 'false']).optional().meta({ description: 'Only favorites of the caller, or only others' }),
  sort: NamedListSortField,
});

/** The writable fields of a workflow. The server also validates `definition` against its node types. */
export const WritableWorkflowFields = z.strictObject({
  name: boundedText(1, 200).describe('What people call it'),
  description: boundedText(0, 10_000).describe('What it is for; may be empty'),
  status: WorkflowStatus,
  definition: WorkflowDefinition,
  concurrency: ConcurrencyLimit.nullable(),
  settings: UpdateWorkflowSettings.describe('How every version runs'),
  tags: TagNames.describe('Words that group workflows'),
  folderId: nullableFolderId.meta({ description: 'The folder; null: none', example: null }),
  isFavorite: z.boolean().describe('Whether it is a favourite of the caller'),
});

/** Whether a workflow is a favorite of the caller. */
export const FavoriteResponse = z
  .object({ isFavorite: z.boolean().describe('Whether it is a favourite of the caller') })
  .meta({ id: 'Favorite', description: 'Whether the workflow is a favourite of the caller' });

export const WorkflowTag = z
  .object({
    name: z.string().describe('The word itself'),
    workflows: z.number().int().describe('How many workflows have it'),
  })
  .meta({ id: 'Tag', description: 'A tag, with the number of workflows that have it' });
export const ListTagsResponse = pageSchema(WorkflowTag).meta({ id: 'TagPage' });
