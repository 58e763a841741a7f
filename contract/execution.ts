import { z } from 'zod';
import { Annotation, Rating } from './annotation';
import { usePins } from './execute-request';
import { FormField } from './triggers/form';
import { EXECUTION_STATUSES, TRIGGERS } from './states';
import { digits, JsonObject, CursorQuery, Timestamp, cursorPage, text, asStored } from './text';

export const ExecutionStatus = z.enum(EXECUTION_STATUSES).meta({ id: 'ExecutionStatus' });
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

export const NodeStatus = z
  .enum(['pending', 'running', 'completed', 'failed', 'paused', 'skipped'])
  .meta({ id: 'NodeStatus' });
export type NodeStatus = z.infer<typeof NodeStatus>;

export const Trigger = z.enum(TRIGGERS).meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

/** The webhook, schedule, form, chat or poll that started a run, as it was then. */
export const TriggerSource = z
  .object({
    id: z.string(),
    name: z.string().meta({
      description: 'The path of a webhook, form or chat, the cron expression of a schedule, the name of a poll',
    }),
  })
  .meta({ id: 'TriggerSource' });
export type TriggerSource = z.infer<typeof TriggerSource>;

/** `execution.trigger` in expressions: what started the run. `id` and `name` are null if nothing that has them did. */
export type RunTrigger = { kind: Trigger } & (TriggerSource | { id: null; name: null });

/** Why a node or a run failed. */
export const RunError = z
  .object({
    code: z.string().meta({
      description:
        'A stable code such as TIMEOUT, HTTP_STATUS, EXPRESSION, CANCELLED. CRASHED: the process that ran it crashed or ' +
        'stopped responding three times, the last two times while it ran nothing else. RUN_UNREADABLE: its stored state cannot be read.',
    }),
    message: z.string(),
    nodeId: z.string().nullable(),
    expression: z
      .object({
        field: z.string().meta({ description: 'Path in the node, such as `config.headers.accept`' }),
        source: z.string(),
        position: z.number().int().meta({ description: 'Offset of the error in UTF-16 units' }),
      })
      .optional()
      .meta({ description: 'The expression that failed' }),
  })
  .meta({ id: 'RunError' });
export type RunError = z.infer<typeof RunError>;

/** The HTTP response to a failed request. */
export const Answer = z
  .object({
    status: z.number().int(),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).meta({
      description: 'Names in lower case; `set-cookie` is a list',
    }),
    body: z.string().nullable().meta({ description: 'Beginning of the body; null: it is not text' }),
  })
  .meta({ id: 'Answer' });
export type Answer = z.infer<typeof Answer>;

/** One attempt of a node. */
export const Try = z
  .object({
    attempt: z.number().int(),
    startedAt: Timestamp,
    completedAt: Timestamp.optional().meta({ description: 'Absent while it is in progress' }),
    error: RunError.nullable(),
    parameters: asStored(JsonObject)
      .optional()
      .meta({
        description:
          'Evaluated parameters; long values are truncated. Absent if there are none, and if many ' +
          'other attempts of the run have used the storage limit.',
      }),
    answer: Answer.optional().meta({ description: 'Present if an HTTP response caused the failure' }),
  })
  .meta({ id: 'Try' });
export type Try = z.infer<typeof Try>;

export const Asked = z
  .object({
    message: z.string(),
    assignees: z
      .array(z.string())
      .meta({ description: 'Who may decide besides admins and owners; empty: everyone with execution:resume' }),
    expiresAt: Timestamp.optional(),
    fields: z.array(FormField).optional().meta({ description: 'What the decision asks for' }),
  })
  .meta({ id: 'Asked', description: 'Message and assignees of an approval, with evaluated expressions' });
export type Asked = z.infer<typeof Asked>;

export const NodeResult = z
  .object({
    nodeId: z.string(),
    status: NodeStatus,
    startedAt: Timestamp.optional(),
    completedAt: Timestamp.optional(),
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    omitted: z
      .array(z.enum(['input', 'output']))
      .optional()
      .meta({ description: 'Parts omitted here for their size; the result of the node has them' }),
    omittedBytes: z
      .object({ input: z.number().int().optional(), output: z.number().int().optional() })
      .optional()
      .meta({ description: 'Approximate size of the omitted parts' }),
    error: RunError.nullable(),
    attempts: z.number().int(),
    tries: z
      .array(Try)
      .optional()
      .meta({ description: 'All attempts, oldest first; absent until an attempt has failed' }),
    asked: Asked.optional(),
    port: z.string().optional().meta({ description: 'The output port of the result' }),
    childExecutionId: z
      .string()
      .optional()
      .meta({ description: 'The execution that a sub_workflow node started and waits for' }),
  })
  .meta({ id: 'NodeResult' });
export type NodeResult = z.infer<typeof NodeResult>;

export const Execution = z
  .object({
    id: z.string(),
    workflowId: z.string(),
    workflowVersion: z.number().int(),
    status: ExecutionStatus,
    trigger: Trigger,
    triggeredBy: TriggerSource.nullable(),
    startedAt: Timestamp,
    completedAt: Timestamp.optional(),
    createdAt: Timestamp,
    createdBy: z.string().nullable(),
    rerunOf: z.string().nullable().meta({ description: 'The execution that this one repeats' }),
    originalTrigger: Trigger.optional().meta({
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
    input: z.unknown(),
    output: z.unknown().optional(),
    error: RunError.nullable(),
    dataRemovedAt: Timestamp.optional().meta({
      description: 'When its input, output, node results and log were removed, as `saveData` of the workflow asks for',
    }),
    nodeResults: z.array(NodeResult),
  })
  .meta({ id: 'Execution' });
export type Execution = z.infer<typeof Execution>;

export const ExecutionSummary = Execution.omit({ input: true, output: true, nodeResults: true, triggeredBy: true })
  .extend({
    workflowName: z.string().meta({ description: 'Current name' }),
    annotation: Annotation.nullable().meta({ description: 'Null: it has no annotation' }),
  })
  .meta({ id: 'ExecutionSummary' });
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const ExecutionPage = cursorPage(ExecutionSummary).meta({ id: 'ExecutionPage' });

export const ExecutionQuery = CursorQuery.extend({
  status: ExecutionStatus.optional(),
  workflowId: text(1, 100).optional().meta({ description: 'Only runs of this workflow' }),
  trigger: Trigger.optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
  cancelled: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether to list runs that were cancelled, which have the status `failed`, or only others' }),
  partial: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether to list runs that end at one node, such as tests from the editor, or only runs of whole workflows',
  }),
  rating: Rating.optional(),
  tag: text(1, 50).optional().meta({ description: 'Only runs that are annotated with this tag' }),
  kept: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Whether to list runs that the clean-up keeps, or only others' }),
  search: text(0, 200)
    .optional()
    .meta({ description: 'Part of the current workflow name, case-insensitive; or the id of the execution' }),
});

export const ExecutionGetQuery = z.strictObject({
  waitSeconds: digits.pipe(z.number().int().min(0).max(60)).default(0).meta({
    type: 'integer',
    minimum: 0,
    maximum: 60,
    default: 0,
    description: 'Seconds to wait for the end of the execution (long poll)',
  }),
});

/** The response to a run request: the run is stored, not yet started. */
export const Accepted = z
  .object({ executionId: z.string(), status: z.literal('pending'), startedAt: Timestamp })
  .meta({ id: 'AcceptedExecution' });

export const DecisionWord = z.enum(['approved', 'rejected']);
export type DecisionWord = z.infer<typeof DecisionWord>;

/** The values of the fields of an approval. */
const DecisionData = JsonObject.optional().meta({
  description: 'The values of the fields that the approval asks for, by name. A rejection may leave fields out',
});

export const ResumeRequest = z.strictObject({
  nodeId: text(1, 300),
  decision: DecisionWord,
  comment: text(0, 10_000).optional(),
  data: DecisionData,
});

/** The token in the approval link of an assignee: the part after `#`. */
const DecisionToken = z.string().max(4000);

export const DecisionLookRequest = z.strictObject({ token: DecisionToken });

export const DecisionRequest = z.strictObject({
  token: DecisionToken,
  decision: DecisionWord,
  comment: text(0, 10_000).optional(),
  data: DecisionData,
});

/** The approval request of an assignee. */
export const PendingDecision = z
  .object({
    workflow: z.string(),
    message: z.string(),
    email: z.string(),
    expiresAt: Timestamp.nullable(),
    isOpen: z.boolean().meta({ description: 'False: decided already, or the run ended' }),
    decision: DecisionWord.nullable(),
    fields: z.array(FormField).optional().meta({ description: 'What the decision asks for' }),
  })
  .meta({ id: 'PendingDecision' });
export type PendingDecision = z.infer<typeof PendingDecision>;

export const RerunRequest = z.strictObject({
  fromNodeId: text(1, 300).optional().meta({ description: 'Node to start from; absent: the start node' }),
  input: z.unknown().optional().meta({ description: 'Replaces the input of that node or of the run' }),
  untilNodeId: text(1, 300)
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
  usePins,
});

export const LogLevel = z.enum(['info', 'warn', 'error']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogEntry = z
  .object({
    timestamp: Timestamp,
    level: LogLevel,
    message: z.string(),
    nodeId: z.string().optional(),
    nodeName: z.string().optional().meta({ description: 'The name of the node, or of its type if it has no name' }),
  })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

export const ExecutionLogs = z.object({ logs: z.array(LogEntry) }).meta({ id: 'ExecutionLogs' });
