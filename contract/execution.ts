import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId } from './shared-fields';
import { AnnotationResponse, RunRating } from './annotation';
import { RunListSortField } from './list-sort';
import { usePinsField } from './execute-request';
import { EXECUTION_STATUSES, TRIGGER_TYPES } from './states';
import {
  queryInteger,
  JsonObject,
  CursorPaginationQuery,
  Timestamp,
  cursorPageSchema,
  boundedText,
  asStored,
} from './text';
import { ApprovalPrompt } from './approval';

export const ExecutionStatus = z
  .enum(EXECUTION_STATUSES)
  .meta({ id: 'ExecutionStatus', description: 'The state of a run. A paused run waits for a decision.' });
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

export const NodeStatus = z
  .enum(['pending', 'running', 'completed', 'failed', 'paused', 'skipped'])
  .meta({ id: 'NodeStatus', description: 'The state of a node in a run' });
export type NodeStatus = z.infer<typeof NodeStatus>;

export const TriggerType = z.enum(TRIGGER_TYPES).meta({ id: 'Trigger', description: 'What started a run' });
export type TriggerType = z.infer<typeof TriggerType>;

/** The webhook, schedule, form, chat or poll that started a run, as it was then. */
export const TriggerSource = z
  .object({
    id: z.string().describe('Which webhook, form, chat, schedule, poll or run'),
    name: z.string().meta({
      description: 'The path of a webhook, form or chat, the cron expression of a schedule, the name of a poll',
    }),
  })
  .meta({ id: 'TriggerSource', description: 'The trigger that started the run, such as a webhook' });
export type TriggerSource = z.infer<typeof TriggerSource>;

/** `execution.trigger` in expressions: what started the run. `id` and `name` are null if nothing that has them did. */
export type TriggerVariable = { kind: TriggerType } & (TriggerSource | { id: null; name: null });

/** Why a node or a run failed. */
export const RunError = z
  .object({
    code: z.string().meta({
      description:
        'A stable code such as TIMEOUT, HTTP_STATUS, EXPRESSION, CANCELLED. CRASHED: the process that ran it crashed or ' +
        'stopped responding three times, the last two times while it ran nothing else. RUN_UNREADABLE: its stored state cannot be read.',
    }),
    message: z.string().describe('What went wrong, in a sentence'),
    nodeId: z
      .string()
      .nullable()
      .describe('The node; inside loops with rounds: `loop[3].inner`, with `each`: `node[3]`'),
    expression: z
      .object({
        field: z.string().meta({ description: 'Path in the node, such as `config.headers.accept`' }),
        source: z.string().describe('The expression'),
        position: z.number().int().meta({ description: 'Offset of the error in UTF-16 units' }),
      })
      .optional()
      .meta({ description: 'The expression that failed' }),
    parameters: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({
        description:
          'The values in the message, by name: which ones depends on the code, such as `status` of HTTP_STATUS. Absent: the message has ' +
          'none, or an earlier version stored it',
      }),
  })
  .meta({ id: 'RunError', description: 'Why the run failed, and at which node' });
export type RunError = z.infer<typeof RunError>;

/** The HTTP response to a failed request. */
export const FailedHttpResponse = z
  .object({
    status: z.number().int().describe('HTTP status of the answer'),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).meta({
      description: 'Names in lower case; `set-cookie` is a list',
    }),
    body: z.string().nullable().meta({ description: 'Beginning of the body; null: it is not text' }),
  })
  .meta({ id: 'Answer', description: 'What a run answered to the caller that waited for it' });
export type FailedHttpResponse = z.infer<typeof FailedHttpResponse>;

/** One attempt of a node. */
export const NodeAttempt = z
  .object({
    attempt: z.number().int().describe('The number of the attempt, from 1'),
    startedAt: Timestamp.describe('When it started; null: it has not'),
    completedAt: Timestamp.optional().meta({ description: 'Absent while it is in progress' }),
    error: RunError.nullable(),
    parameters: asStored(JsonObject)
      .optional()
      .meta({
        description:
          'Evaluated parameters; long values are truncated. Absent if there are none, and if many ' +
          'other attempts of the run have used the storage limit.',
      }),
    answer: FailedHttpResponse.optional().meta({ description: 'Present if an HTTP response caused the failure' }),
  })
  .meta({ id: 'Try', description: 'One attempt of a node' });
export type NodeAttempt = z.infer<typeof NodeAttempt>;

export const NodeResult = z
  .object({
    nodeId: z.string().describe('The node; inside loops with rounds: `loop[3].inner`, with `each`: `node[3]`'),
    status: NodeStatus,
    startedAt: Timestamp.optional().describe('When it started; null: it has not'),
    completedAt: Timestamp.optional().describe('When it ended; null: it has not'),
    input: z.unknown().optional().describe('What the node was given'),
    output: z.unknown().optional().describe('What it gave'),
    omitted: z
      .array(z.enum(['input', 'output']))
      .optional()
      .meta({ description: 'Parts omitted here for their size; the result of the node has them' }),
    omittedBytes: z
      .object({
        input: z.number().int().optional().describe('Bytes of what the node was given'),
        output: z.number().int().optional().describe('What it gave'),
      })
      .optional()
      .meta({ description: 'Approximate size of the omitted parts' }),
    error: RunError.nullable(),
    attempts: z.number().int().describe('The number of attempts so far'),
    tries: z
      .array(NodeAttempt)
      .optional()
      .meta({ description: 'All attempts, oldest first; absent until an attempt has failed' }),
    asked: ApprovalPrompt.optional(),
    port: z.string().optional().meta({ description: 'The output port of the result' }),
    ports: z.record(z.string(), z.number().int()).optional().meta({
      description:
        'For a node with `each`: how many outputs were delivered at each port; empty: none, because there were no items. Absent: `port` has all',
    }),
    childExecutionId: z
      .string()
      .optional()
      .meta({ description: 'The execution that a sub_workflow node started and waits for' }),
  })
  .meta({
    id: 'NodeResult',
    description:
      'The result of a node in a run. Inside loops the id has rounds: `loop[3].inner`, with `each`: `node[3]`.',
  });
export type NodeResult = z.infer<typeof NodeResult>;

export const ExecutionResponse = z
  .object({
    id: ObjectId,
    workflowId: z.string().describe('Which workflow ran'),
    workflowVersion: z.number().int().describe('The version of the workflow that ran'),
    status: ExecutionStatus,
    trigger: TriggerType,
    triggeredBy: TriggerSource.nullable(),
    startedAt: Timestamp.describe('When it started; null: it has not'),
    completedAt: Timestamp.optional().describe('When it ended; null: it has not'),
    createdAt: CreatedAt,
    createdBy: CreatedBy,
    rerunOf: z.string().nullable().meta({ description: 'The execution that this one repeats' }),
    originalTrigger: TriggerType.optional().meta({
      description:
        'With the trigger `rerun`: what started the original execution, also after several repetitions. Absent: it was removed',
    }),
    parentExecutionId: z
      .string()
      .nullable()
      .meta({ description: 'The execution whose sub_workflow node started this one' }),
    untilNodeId: z
      .string()
      .nullable()
      .meta({ description: 'Only this node and its upstream nodes are part of the run; null: the whole workflow' }),
    untilNodeName: z
      .string()
      .optional()
      .meta({ description: 'The name of that node, or of its type if it has no name' }),
    startNodeId: z.string().nullable().meta({
      description:
        'The start node at which the run began. Only that node and its downstream nodes belong to the run; null: it began at every start node',
    }),
    startNodeName: z
      .string()
      .optional()
      .meta({ description: 'The name of that node, or of its type if it has no name' }),
    input: z.unknown().describe('What the run was given'),
    output: z.unknown().optional().describe('What it gave'),
    error: RunError.nullable(),
    dataRemovedAt: Timestamp.optional().meta({
      description: 'When its input, output, node results and log were removed, as `saveData` of the workflow asks for',
    }),
    nodeResults: z.array(NodeResult).describe('The results of the nodes'),
  })
  .meta({ id: 'Execution', description: 'A run with the results of its nodes' });
export type ExecutionResponse = z.infer<typeof ExecutionResponse>;

export const ExecutionSummary = ExecutionResponse.omit({
  input: true,
  output: true,
  nodeResults: true,
  startNodeName: true,
})
  .extend({
    workflowName: z.string().meta({ description: 'Current name' }),
    annotation: AnnotationResponse.nullable().meta({ description: 'Null: it has no annotation' }),
  })
  .meta({ id: 'ExecutionSummary', description: 'A run without the results of its nodes' });
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const ListExecutionsResponse = cursorPageSchema(ExecutionSummary).meta({ id: 'ExecutionPage' });

export const ListExecutionsQuery = CursorPaginationQuery.extend({
  status: ExecutionStatus.optional().describe('Only those with this state'),
  workflowId: boundedText(1, 100).optional().meta({ description: 'Only runs of this workflow' }),
  trigger: TriggerType.optional().describe('Only runs that this started'),
  from: Timestamp.optional().describe('Only those at this time or later'),
  to: Timestamp.optional().describe('Only those before this time'),
  cancelled: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether to list runs that were cancelled, which have the status `failed`, or only others' }),
  partial: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether to list runs that end at one node, such as tests from the editor, or only runs of whole workflows',
  }),
  rating: RunRating.optional(),
  tag: boundedText(1, 50).optional().meta({ description: 'Only runs that are annotated with this tag' }),
  kept: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether to list runs that the clean-up keeps, or only others' }),
  search: boundedText(0, 200)
    .optional()
    .meta({ description: 'Part of the current workflow name, case-insensitive; or the id of the execution' }),
  sort: RunListSortField,
});

export const GetExecutionQuery = z.strictObject({
  waitSeconds: queryInteger.pipe(z.number().int().min(0).max(60)).default(0).meta({
    type: 'integer',
    minimum: 0,
    maximum: 60,
    default: 0,
    description: 'Seconds to wait for the end of the execution (long poll)',
  }),
});

/** The response to a run request: the run is stored, not yet started. */
export const AcceptedExecution = z
  .object({
    executionId: z.string().describe('The run'),
    status: z.literal('pending').describe('The run is stored and will start'),
    startedAt: Timestamp.describe('When it started; null: it has not'),
  })
  .meta({ id: 'AcceptedExecution', description: 'A run that is stored and will start' });

export const RerunExecutionRequest = z.strictObject({
  fromNodeId: boundedText(1, 300).optional().meta({ description: 'Node to start from; absent: the start node' }),
  input: z.unknown().optional().meta({ description: 'Replaces the input of that node or of the run' }),
  firstItemOnly: z.boolean().default(false).meta({
    description:
      'That node, a `for_each` or one with `each`, takes only the first item of its list. Needs `fromNodeId`',
  }),
  untilNodeId: boundedText(1, 300)
    .nullable()
    .optional()
    .meta({
      description:
        'Runs only this node and its upstream nodes, from `fromNodeId` on if given; both equal: that node alone. ' +
        'Null: all nodes. Absent: as in the original run.',
    }),
  useLatest: z
    .boolean()
    .optional()
    .meta({ description: 'Runs the last saved version, not the version of the original run' }),
  usePins: usePinsField,
});
