import { z } from 'zod';
import { EXECUTION_STATUSES, TRIGGERS } from './states';
import { JsonObject, PageQuery, Timestamp, page, text } from './text';

export const ExecutionStatus = z.enum(EXECUTION_STATUSES).meta({ id: 'ExecutionStatus' });
export type ExecutionStatus = z.infer<typeof ExecutionStatus>;

export const NodeStatus = z
  .enum(['pending', 'running', 'completed', 'failed', 'paused', 'skipped'])
  .meta({ id: 'NodeStatus' });
export type NodeStatus = z.infer<typeof NodeStatus>;

export const Trigger = z.enum(TRIGGERS).meta({ id: 'Trigger' });
export type Trigger = z.infer<typeof Trigger>;

/** Why a node or a run failed. `code` is a stable word such as TIMEOUT, HTTP_STATUS, EXPRESSION, CANCELLED. */
export const RunError = z
  .object({
    code: z.string(),
    message: z.string(),
    nodeId: z.string().nullable(),
    expression: z
      .object({
        field: z.string().meta({ description: 'Where it stands in the node, such as `config.headers.accept`' }),
        source: z.string(),
        position: z.number().int().meta({ description: 'Where the fault is, in UTF-16 units from its beginning' }),
      })
      .optional()
      .meta({ description: 'The expression that failed' }),
  })
  .meta({ id: 'RunError' });
export type RunError = z.infer<typeof RunError>;

/** What the other side answered to a call that failed. */
export const Answer = z
  .object({
    status: z.number().int(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable().meta({ description: 'How it begins; null: it is no text' }),
  })
  .meta({ id: 'Answer' });
export type Answer = z.infer<typeof Answer>;

/** One try of a node. */
export const Try = z
  .object({
    attempt: z.number().int(),
    startedAt: Timestamp,
    completedAt: Timestamp.optional().meta({ description: 'Absent while it is under way' }),
    error: RunError.nullable(),
    parameters: JsonObject.optional().meta({
      description:
        'What its parameters came to; what is long is cut short. Absent where they came to nothing, and where many ' +
        'other tries of the run have taken the room.',
    }),
    answer: Answer.optional().meta({ description: 'Present where the other side’s answer is why it failed' }),
  })
  .meta({ id: 'Try' });
export type Try = z.infer<typeof Try>;

export const Asked = z
  .object({
    message: z.string(),
    assignees: z
      .array(z.string())
      .meta({ description: 'Who may decide, besides admins and owners; empty: whoever may resume runs' }),
    expiresAt: Timestamp.optional(),
  })
  .meta({ id: 'Asked', description: 'What an approval asks of whom, with every expression replaced by its value' });
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
      .meta({ description: 'What is there but left out here for its size; the node’s own result has it' }),
    omittedBytes: z
      .object({ input: z.number().int().optional(), output: z.number().int().optional() })
      .optional()
      .meta({ description: 'About how large that is' }),
    error: RunError.nullable(),
    attempts: z.number().int(),
    tries: z.array(Try).optional().meta({ description: 'Each try, oldest first, once one has failed' }),
    asked: Asked.optional(),
    port: z.string().optional().meta({ description: 'The output port by which the result left' }),
    childExecutionId: z
      .string()
      .optional()
      .meta({ description: 'The run that a sub_workflow node waits or waited for' }),
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
    startedAt: Timestamp,
    completedAt: Timestamp.optional(),
    createdAt: Timestamp,
    createdBy: z.string().nullable(),
    rerunOf: z.string().nullable().meta({ description: 'The execution that this one repeats' }),
    parentExecutionId: z
      .string()
      .nullable()
      .meta({ description: 'The execution whose sub_workflow node started this one' }),
    untilNodeId: z
      .string()
      .nullable()
      .meta({ description: 'Only this node and what leads to it are part of the run; null: the whole workflow' }),
    input: z.unknown(),
    output: z.unknown().optional(),
    error: RunError.nullable(),
    nodeResults: z.array(NodeResult),
  })
  .meta({ id: 'Execution' });
export type Execution = z.infer<typeof Execution>;

export const ExecutionSummary = Execution.omit({ input: true, output: true, nodeResults: true })
  .extend({ workflowName: z.string().meta({ description: 'As it is called now' }) })
  .meta({ id: 'ExecutionSummary' });
export type ExecutionSummary = z.infer<typeof ExecutionSummary>;

export const ExecutionPage = page(ExecutionSummary).meta({ id: 'ExecutionPage' });

export const ExecutionQuery = PageQuery.extend({
  status: ExecutionStatus.optional(),
  workflowId: text(1, 100).optional(),
  trigger: Trigger.optional(),
  from: Timestamp.optional(),
  to: Timestamp.optional(),
  search: text(0, 200)
    .optional()
    .meta({ description: 'Part of the name that the workflow has now, in any case; or the id of the execution' }),
});

export const ExecuteRequest = z.strictObject({
  input: JsonObject.default({}),
  untilNodeId: text(1, 300)
    .optional()
    .meta({
      description:
        'Runs only this node and what leads to it. Nothing else is part of the run: neither of its node results nor of ' +
        'what has to be ready. A node inside a loop runs with its loop and can’t be named.',
    }),
  useLatest: z.boolean().default(false).meta({
    description: 'The workflow as it was saved last, be it published or not',
  }),
});

/** The answer to a request for a run: stored, not yet started. */
export const Accepted = z
  .object({ executionId: z.string(), status: z.literal('pending'), startedAt: Timestamp })
  .meta({ id: 'AcceptedExecution' });

export const DecisionWord = z.enum(['approved', 'rejected']);
export type DecisionWord = z.infer<typeof DecisionWord>;

export const ResumeRequest = z.strictObject({
  nodeId: text(1, 300),
  decision: DecisionWord,
  comment: text(0, 10_000).optional(),
});

/** From the address in the mail to an assignee: what comes behind its `#`. */
const DecisionToken = z.string().max(4000);

export const DecisionLookRequest = z.strictObject({ token: DecisionToken });

export const DecisionRequest = z.strictObject({
  token: DecisionToken,
  decision: DecisionWord,
  comment: text(0, 10_000).optional(),
});

/** What an assignee is asked. */
export const PendingDecision = z
  .object({
    workflow: z.string(),
    message: z.string(),
    email: z.string(),
    expiresAt: Timestamp.nullable(),
    isOpen: z.boolean().meta({ description: 'False: it was decided, or the run is over' }),
    decision: DecisionWord.nullable(),
  })
  .meta({ id: 'PendingDecision' });
export type PendingDecision = z.infer<typeof PendingDecision>;

export const RerunRequest = z.strictObject({
  fromNodeId: text(1, 300).optional().meta({ description: 'Where to begin; absent: at the beginning' }),
  input: z.unknown().optional().meta({ description: 'Instead of what went in, at that node or into the run' }),
  untilNodeId: text(1, 300)
    .nullable()
    .optional()
    .meta({
      description:
        'Runs only this node and what leads to it, from `fromNodeId` on if that is given; both the same: that node alone. ' +
        'Null: everything. Absent: as before.',
    }),
  useLatest: z
    .boolean()
    .optional()
    .meta({ description: 'The workflow as it was saved last, not the version that ran' }),
});

export const LogLevel = z.enum(['info', 'warn', 'error']);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogEntry = z
  .object({ timestamp: Timestamp, level: LogLevel, message: z.string(), nodeId: z.string().optional() })
  .meta({ id: 'LogEntry' });
export type LogEntry = z.infer<typeof LogEntry>;

export const ExecutionLogs = z.object({ logs: z.array(LogEntry) }).meta({ id: 'ExecutionLogs' });
