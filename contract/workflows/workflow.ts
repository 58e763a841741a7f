import { z } from 'zod';
import { ExecutionStatus } from '../execution';
import { SAVE_DATA, WORKFLOW_STATUSES } from '../states';
import { FieldError } from '../error';
import { Tags } from '../tags';
import { JsonObject, CursorQuery, Timestamp, digits, cursorPage, page, text } from '../text';

/**
 * Retries of a node: `maxAttempts` includes the first attempt; exponential backoff from `backoffMs`, at most 5 minutes.
 */
export const Retry = z
  .strictObject({
    maxAttempts: z.number().int().min(1).max(20).default(1).meta({
      description: 'Number of attempts, the first included. A retried loop keeps the results of its completed rounds.',
    }),
    backoffMs: z.number().int().min(0).max(300_000).default(1000).meta({
      description: 'Milliseconds before the second attempt; doubles with each further attempt, up to five minutes.',
    }),
  })
  .meta({ id: 'Retry' });
export type Retry = z.infer<typeof Retry>;

const Position = z.strictObject({ x: z.number(), y: z.number() }).meta({ id: 'Position' });

/** One step of a workflow. `config` depends on `type`; see GET /api/node-types. */
export const Node = z
  .strictObject({
    id: text(1, 100),
    type: text(1, 100),
    position: Position,
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
          'False: side effects happen at most once. The node is not retried, and if the service stops while it ' +
          'is in progress it fails with OUTCOME_UNKNOWN.',
      }),
    credentialId: text(1, 100).optional(),
  })
  .meta({ id: 'Node' });
export type Node = z.infer<typeof Node>;

/** A connection from a port of one node to a port of another. */
export const Connection = z
  .strictObject({
    sourceNode: text(1, 100),
    sourcePort: text(1, 100),
    targetNode: text(1, 100),
    targetPort: text(1, 100),
  })
  .meta({ id: 'Connection' });
export type Connection = z.infer<typeof Connection>;

/** Colours of notes and groups. */
export const CanvasColor = z.enum(['yellow', 'green', 'blue', 'red', 'gray']).meta({ id: 'CanvasColor' });
export type CanvasColor = z.infer<typeof CanvasColor>;

const side = z.number().min(1).max(10_000);

/** A note on the canvas: Markdown documentation without effect on runs. */
export const Note = z
  .strictObject({
    id: text(1, 100),
    position: Position,
    size: z.strictObject({ width: side, height: side }),
    text: text(0, 10_000),
    color: CanvasColor,
  })
  .meta({ id: 'Note' });
export type Note = z.infer<typeof Note>;

/** A group of nodes on the canvas: a frame or, collapsed, one card. Without effect on runs. */
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
 * The graph of a workflow: acyclic, at most 2,000 nodes. `notes` and `groups` have no effect on runs and are absent if
 * empty; ids are unique across nodes, notes and groups.
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

/** Limit of concurrent runs, counted from acceptance to end; further runs wait, or are refused (409). */
export const RunLimit = z
  .strictObject({ limit: z.number().int().min(1).max(100_000), overflow: z.enum(['queue', 'refuse']).default('queue') })
  .meta({ id: 'RunLimit' });
export type RunLimit = z.infer<typeof RunLimit>;

/** Settings around the graph. They hold for every version, and for runs that are accepted after a change. */
export const WorkflowSettings = z
  .object({
    errorWorkflowId: text(1, 100).nullable().meta({
      description:
        'The workflow that a failed run starts, with trigger `error`. Null: that of the workspace. A cancelled run starts none',
    }),
    timeZone: text(1, 100).nullable().meta({
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
    saveData: z.enum(SAVE_DATA).meta({
      description:
        'The finished runs whose input, output, node results and log are kept. Those of others are removed five seconds ' +
        'after the run ends; the run itself stays',
    }),
    requireTests: z.boolean().meta({ description: 'A version is published only after all tests have passed on it' }),
    isTool: z.boolean().meta({ description: 'While it is active, programs and agents can call it over MCP' }),
  })
  .meta({ id: 'WorkflowSettings' });
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
};

/** Changes of settings: absent fields stay as they are. */
export const WorkflowSettingsChange = z.strictObject(WorkflowSettings.shape).partial();
export type WorkflowSettingsChange = z.infer<typeof WorkflowSettingsChange>;

/** What organizes workflows, apart from what they do. */
const FOLDER_ID = text(1, 100).nullable();

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
      description: 'A newer, unpublished version; null: the last saved version is live',
    }),
    concurrency: RunLimit.nullable().meta({ description: 'Null: no limit of concurrent runs' }),
    settings: WorkflowSettings,
    tags: z.array(z.string()),
    folderId: z.string().nullable().meta({ description: 'Null: the top level', example: null }),
    isFavorite: z.boolean().meta({ description: 'Of the caller' }),
    workspaceId: z.string(),
    createdBy: z.string().nullable(),
  })
  .meta({ id: 'Workflow' });
export type Workflow = z.infer<typeof Workflow>;

/** The last saved state of a workflow: name, description, definition and `version` of its draft, if it has one. */
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

/** A workflow in a list, with its latest run. */
export const WorkflowListed = WorkflowSummary.extend({
  owner: z.string().nullable().meta({ description: 'Name of its creator; null: unknown', example: 'Ada' }),
  lastExecution: LastExecution.nullable().meta({ description: 'Null: no run that the caller may read' }),
  hasInvalidDraft: z.boolean().meta({ description: 'Whether someone has changes with errors' }),
}).meta({ id: 'WorkflowListed' });
export type WorkflowListed = z.infer<typeof WorkflowListed>;

export const WorkflowPage = cursorPage(WorkflowListed).meta({ id: 'WorkflowPage' });

export const WorkflowQuery = CursorQuery.extend({
  status: WorkflowStatus.optional(),
  search: text(0, 200).optional().meta({ description: 'Part of the name, case-insensitive' }),
  tag: text(1, 50).optional().meta({ description: 'Only workflows with this tag' }),
  folderId: text(1, 100).optional().meta({
    description: 'Only workflows directly in this folder; `none`: those in no folder',
  }),
  favorite: z.enum(['true', 'false']).optional().meta({ description: 'Only favorites of the caller, or only others' }),
});

/** The writable fields of a workflow. The server also validates `definition` against its node types. */
export const WorkflowFields = z.strictObject({
  name: text(1, 200),
  description: text(0, 10_000),
  status: WorkflowStatus,
  definition: Definition,
  concurrency: RunLimit.nullable(),
  settings: WorkflowSettingsChange,
  tags: Tags,
  folderId: FOLDER_ID.meta({ example: null }),
  isFavorite: z.boolean(),
});

/** Whether a workflow is a favorite of the caller. */
export const Favorite = z.object({ isFavorite: z.boolean() }).meta({ id: 'Favorite' });

export const Tag = z.object({ name: z.string(), workflows: z.number().int() }).meta({ id: 'Tag' });
export const TagPage = page(Tag).meta({ id: 'TagPage' });

/** The gaps that keep a version from running. */
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
    author: z.string().nullable().meta({ description: 'Name of the author; null: the account was deleted' }),
    message: z.string(),
    publishedAt: Timestamp.nullable().meta({
      description: 'When it was published; null: never',
    }),
    authorizedBy: z.string().nullable().meta({
      description:
        'The user whose permissions limit the credentials and workflows of its runs: who published or saved it last',
    }),
  })
  .meta({ id: 'WorkflowVersion' });
export type WorkflowVersion = z.infer<typeof WorkflowVersion>;

export const WorkflowVersionPage = page(WorkflowVersion).meta({ id: 'WorkflowVersionPage' });

/** A stored version with its definition. */
export const WorkflowVersionWithDefinition = WorkflowVersion.extend({
  description: z.string(),
  definition: Definition,
}).meta({ id: 'WorkflowVersionWithDefinition' });

/** The message of a version; empty: none. */
export const VersionUpdate = z.strictObject({ message: text(0, 500) });

export const VersionsBefore = z.strictObject({
  before: digits
    .pipe(z.number().int().min(1))
    .optional()
    .meta({ type: 'integer', minimum: 1, description: 'Only versions with a lower number' }),
});

export const RestoreRequest = z.strictObject({ message: text(0, 500).optional() });
