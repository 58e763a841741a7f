import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, optionalStartNodeId, StartNodeId, UpdatedAt } from '../shared-fields';
import { NodeStatus } from '../execution';
import { JsonObject, Timestamp, isStorableJson, pageSchema, boundedText, asStored } from '../text';

/** A test may mock, or expect something of, at most this many nodes. */
const MAX_TESTED_NODES = 500;

/** A test expects at most this many items of a node. */
const MAX_EXPECTED_ITEMS = 10_000;

const storableJson = z.unknown().refine(isStorableJson, { error: 'must not contain NUL or lone surrogates' });

/** The result that a node gives in a test without running: an output at a port, or a failure. */
export const NodeMock = z
  .strictObject({
    output: storableJson.optional().meta({ description: 'The output of the node. Absent: null' }),
    port: boundedText(1, 100)
      .optional()
      .meta({ description: 'The port of the output. Absent: the usual one of the node' }),
    error: z
      .strictObject({
        code: boundedText(1, 100).describe('Stable word for the failure; branches can compare it'),
        message: boundedText(0, 2000).default('').describe('What the failure says'),
      })
      .optional()
      .meta({ description: 'The node fails with this error instead' }),
  })
  .refine(({ output, port, error }) => error === undefined || (output === undefined && port === undefined), {
    error: 'has either an output or an error',
  })
  .meta({ id: 'Mock', description: 'What a node gives in a test in place of running' });
export type NodeMock = z.infer<typeof NodeMock>;

const recordByNode = <Value extends z.ZodType>(value: Value) =>
  z.record(boundedText(1, 300), value).refine((given) => Object.keys(given).length <= MAX_TESTED_NODES, {
    error: `must name at most ${MAX_TESTED_NODES} nodes`,
  });

/** By node: its id, inside of loops its path `loop[3].inner`, or `loop[].inner` for every round. */
export const NodeMocks = recordByNode(NodeMock).meta({
  description:
    'What nodes give in place of running, by their ids. Inside loops: `loop[3].inner`, or `loop[].inner` for every round. With `each`: ' +
    '`node` for the whole list, `node[]` for every item, `node[3]` for one',
});
export type NodeMocks = z.infer<typeof NodeMocks>;

export const NodeExpectation = z
  .strictObject({
    status: z.enum(['completed', 'failed', 'not_run']).optional().meta({ description: 'How the node ends' }),
    port: boundedText(1, 100).optional().meta({ description: 'The port that it takes' }),
    output: storableJson.optional().meta({
      description: 'What its output contains: fields that are left out may be anything, all other values must be equal',
    }),
    items: z
      .array(storableJson)
      .max(MAX_EXPECTED_ITEMS)
      .optional()
      .describe(
        'The items that it gives, exactly: without further items or fields. An output that is no list counts as one item. `$files` is not compared',
      ),
  })
  .meta({ id: 'NodeExpectation', description: 'What a test expects of a node' });
export type NodeExpectation = z.infer<typeof NodeExpectation>;

export const TestExpectations = z
  .strictObject({
    status: z.enum(['completed', 'failed']).default('completed').meta({ description: 'How the run ends' }),
    output: storableJson.optional().meta({ description: 'What the output of the run contains' }),
    nodes: recordByNode(NodeExpectation).default({}).meta({ description: 'What is expected of nodes, by their ids' }),
  })
  .meta({ id: 'Expectations', description: 'How a test expects a run to end' });
export type TestExpectations = z.infer<typeof TestExpectations>;

export const ExpectationFailure = z
  .object({
    nodeId: z.string().nullable().meta({ description: 'Null: the run' }),
    message: z.string().meta({ description: 'A sentence that says what was expected' }),
    field: z.string().optional().describe('The path of the first value that differs, such as `[0].name`'),
    expected: z.unknown().optional().meta({ description: 'The expected value' }),
    actual: z.unknown().optional().meta({ description: 'The value that came; absent: none' }),
  })
  .meta({ id: 'TestFailure', description: 'An expectation of a test that a run did not fulfil' });
export type ExpectationFailure = z.infer<typeof ExpectationFailure>;

export const WorkflowTestResult = z
  .object({
    testId: z.string().meta({ description: 'Which test ran' }),
    executionId: z.string().describe('The run of the test'),
    version: z.number().int().meta({ description: 'The version of the workflow that was tested' }),
    status: z.enum(['passed', 'failed', 'running']).describe('`running` until the run has ended'),
    failures: z.array(ExpectationFailure).meta({ description: 'The expectations that are not fulfilled' }),
    completedAt: Timestamp.nullable().meta({ description: 'Null: it is running' }),
  })
  .meta({ id: 'TestResult', description: 'The result of a run of a test' });
export type WorkflowTestResult = z.infer<typeof WorkflowTestResult>;

export const WorkflowTestResponse = z
  .object({
    id: ObjectId,
    workflowId: z.string().describe('Which workflow it tests'),
    name: z.string().describe('What people call it'),
    input: asStored(JsonObject.describe('What the run of the test is given')),
    mocks: asStored(NodeMocks),
    expectations: asStored(TestExpectations),
    startNodeId: StartNodeId,
    lastResult: asStored(
      WorkflowTestResult.nullable().meta({ description: 'Null: it was not run since it was changed' }),
    ),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
  })
  .meta({
    id: 'WorkflowTest',
    description: 'A test of a workflow: an input, what nodes give in place of running, and what is expected',
  });
export type WorkflowTestResponse = z.infer<typeof WorkflowTestResponse>;

export const ListWorkflowTestsResponse = pageSchema(WorkflowTestResponse).meta({
  id: 'WorkflowTestPage',
  description: 'One page of the list',
});

const workflowTestName = boundedText(1, 200).meta({ example: 'A large order needs an approval' });

export const CreateTestRequest = z.strictObject({
  name: workflowTestName.describe('What people call it'),
  fromExecutionId: boundedText(1, 100).optional().meta({
    description:
      'Records this run: its input, what its nodes that act outside gave, and how each node ended. Fields of the request come first',
  }),
  input: JsonObject.optional().describe('What the run of the test is given'),
  mocks: NodeMocks.optional(),
  expectations: TestExpectations.optional(),
  startNodeId: optionalStartNodeId,
});

export const UpdateTestRequest = z.strictObject({
  name: workflowTestName.optional().describe('What people call it'),
  input: JsonObject.optional().describe('What the run of the test is given'),
  mocks: NodeMocks.optional(),
  expectations: TestExpectations.optional(),
  startNodeId: optionalStartNodeId,
});

const testWaitSeconds = z.number().int().min(0).max(50).default(50).meta({
  description: 'Seconds to wait for the end. What has not ended then has the status `running`',
  example: 0,
});

export const RunTestRequest = z.strictObject({
  useLatest: z.boolean().default(true).meta({ description: 'Tests the last saved version; false: the published one' }),
  waitSeconds: testWaitSeconds,
});

export const ReplayRunsRequest = z.strictObject({
  limit: z
    .number()
    .int()
    .min(1)
    .max(50)
    .default(10)
    .meta({ description: 'How many of the latest finished runs are replayed' }),
  useLatest: z
    .boolean()
    .default(true)
    .meta({ description: 'Replays on the last saved version; false: the published one' }),
  waitSeconds: testWaitSeconds,
});

const replayedNodeState = z.object({
  status: NodeStatus.nullable().meta({ description: 'Null: it did not run' }),
  output: z.unknown().optional().meta({ description: 'Absent: there is none, or it is larger than 16 KiB' }),
});

export const ReplayNodeDifference = z
  .object({
    nodeId: z.string().describe('The node; inside loops with rounds: `loop[3].inner`'),
    change: z.enum(['output', 'status', 'no_longer_run', 'newly_run']).meta({ description: 'What differs' }),
    before: replayedNodeState.meta({ description: 'In the recorded run' }),
    after: replayedNodeState.meta({ description: 'In the replay' }),
  })
  .meta({ id: 'NodeDifference', description: 'A node whose results in two runs differ' });
export type ReplayNodeDifference = z.infer<typeof ReplayNodeDifference>;

export const ExecutionReplay = z
  .object({
    executionId: z.string().meta({ description: 'The recorded run' }),
    replayId: z.string().meta({ description: 'The run of the changed workflow with its data' }),
    status: z.enum(['same', 'different', 'running']).describe('Whether the results are those of the recorded run'),
    differences: z.array(ReplayNodeDifference).meta({ description: 'The nodes that differ' }),
  })
  .meta({
    id: 'Replay',
    description: 'A recorded run, run again on another version with what its nodes gave from outside',
  });
export type ExecutionReplay = z.infer<typeof ExecutionReplay>;

export const ListReplaysResponse = z
  .object({ data: z.array(ExecutionReplay).describe('The items') })
  .meta({ id: 'ReplayList', description: 'Replays of recorded runs' });
