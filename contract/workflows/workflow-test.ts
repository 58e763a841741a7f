import { z } from 'zod';
import { CreatedAt, CreatedBy, ObjectId, UpdatedAt } from '../shared-fields';
import { NodeStatus } from '../execution';
import { JsonObject, Timestamp, isStorableJson, page, text, asStored } from '../text';

/** Nodes that one test may mock, or expect something of. */
const MAX_NODES = 500;

const json = z.unknown().refine(isStorableJson, { error: 'must not contain NUL or lone surrogates' });

/** What a node gives in a test, in place of running: an output at a port, or a failure. */
export const Mock = z
  .strictObject({
    output: json.optional().meta({ description: 'The output of the node. Absent: null' }),
    port: text(1, 100).optional().meta({ description: 'The port of the output. Absent: the usual one of the node' }),
    error: z
      .strictObject({
        code: text(1, 100).describe('Stable word for the failure; branches can compare it'),
        message: text(0, 2000).default('').describe('What the failure says'),
      })
      .optional()
      .meta({ description: 'The node fails with this error instead' }),
  })
  .refine(({ output, port, error }) => error === undefined || (output === undefined && port === undefined), {
    error: 'has either an output or an error',
  })
  .meta({ id: 'Mock', description: 'What a node gives in a test in place of running' });
export type Mock = z.infer<typeof Mock>;

const byNode = <Value extends z.ZodType>(value: Value) =>
  z.record(text(1, 300), value).refine((given) => Object.keys(given).length <= MAX_NODES, {
    error: `must name at most ${MAX_NODES} nodes`,
  });

/** By node: its id, inside of loops its path `loop[3].inner`, or `loop[].inner` for every round. */
export const Mocks = byNode(Mock).meta({
  description:
    'What nodes give in place of running, by their ids. Inside loops: `loop[3].inner`, or `loop[].inner` for every round',
});
export type Mocks = z.infer<typeof Mocks>;

export const NodeExpectation = z
  .strictObject({
    status: z.enum(['completed', 'failed', 'not_run']).optional().meta({ description: 'How the node ends' }),
    port: text(1, 100).optional().meta({ description: 'The port that it takes' }),
    output: json.optional().meta({
      description: 'What its output contains: fields that are left out may be anything, all other values must be equal',
    }),
  })
  .meta({ id: 'NodeExpectation', description: 'What a test expects of a node' });
export type NodeExpectation = z.infer<typeof NodeExpectation>;

export const Expectations = z
  .strictObject({
    status: z.enum(['completed', 'failed']).default('completed').meta({ description: 'How the run ends' }),
    output: json.optional().meta({ description: 'What the output of the run contains' }),
    nodes: byNode(NodeExpectation).default({}).meta({ description: 'What is expected of nodes, by their ids' }),
  })
  .meta({ id: 'Expectations', description: 'How a test expects a run to end' });
export type Expectations = z.infer<typeof Expectations>;

export const TestFailure = z
  .object({
    nodeId: z.string().nullable().meta({ description: 'Null: the run' }),
    message: z.string().meta({ description: 'A sentence that says what was expected' }),
    expected: z.unknown().optional().meta({ description: 'The expected value' }),
    actual: z.unknown().optional().meta({ description: 'The value that came; absent: none' }),
  })
  .meta({ id: 'TestFailure', description: 'An expectation of a test that a run did not fulfil' });
export type TestFailure = z.infer<typeof TestFailure>;

export const TestResult = z
  .object({
    testId: z.string().meta({ description: 'Which test ran' }),
    executionId: z.string().describe('The run of the test'),
    version: z.number().int().meta({ description: 'The version of the workflow that was tested' }),
    status: z.enum(['passed', 'failed', 'running']).describe('`running` until the run has ended'),
    failures: z.array(TestFailure).meta({ description: 'The expectations that are not fulfilled' }),
    completedAt: Timestamp.nullable().meta({ description: 'Null: it is running' }),
  })
  .meta({ id: 'TestResult', description: 'The result of a run of a test' });
export type TestResult = z.infer<typeof TestResult>;

export const WorkflowTest = z
  .object({
    id: ObjectId,
    workflowId: z.string().describe('Which workflow it tests'),
    name: z.string().describe('What people call it'),
    input: asStored(JsonObject.describe('What the run of the test is given')),
    mocks: asStored(Mocks),
    expectations: asStored(Expectations),
    lastResult: asStored(TestResult.nullable().meta({ description: 'Null: it was not run since it was changed' })),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
  })
  .meta({
    id: 'WorkflowTest',
    description: 'A test of a workflow: an input, what nodes give in place of running, and what is expected',
  });
export type WorkflowTest = z.infer<typeof WorkflowTest>;

export const WorkflowTestPage = page(WorkflowTest).meta({
  id: 'WorkflowTestPage',
  description: 'One page of the list',
});

const name = text(1, 200).meta({ example: 'A large order needs an approval' });

export const WorkflowTestCreate = z.strictObject({
  name: name.describe('What people call it'),
  fromExecutionId: text(1, 100).optional().meta({
    description:
      'Records this run: its input, what its nodes that act outside gave, and how each node ended. Fields of the request come first',
  }),
  input: JsonObject.optional().describe('What the run of the test is given'),
  mocks: Mocks.optional(),
  expectations: Expectations.optional(),
});

export const WorkflowTestUpdate = z.strictObject({
  name: name.optional().describe('What people call it'),
  input: JsonObject.optional().describe('What the run of the test is given'),
  mocks: Mocks.optional(),
  expectations: Expectations.optional(),
});

const waitSeconds = z.number().int().min(0).max(50).default(50).meta({
  description: 'Seconds to wait for the end. What has not ended then has the status `running`',
  example: 0,
});

export const TestRunRequest = z.strictObject({
  useLatest: z.boolean().default(true).meta({ description: 'Tests the last saved version; false: the published one' }),
  waitSeconds,
});

export const ReplayRequest = z.strictObject({
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
  waitSeconds,
});

const side = z.object({
  status: NodeStatus.nullable().meta({ description: 'Null: it did not run' }),
  output: z.unknown().optional().meta({ description: 'Absent: there is none, or it is larger than 16 KiB' }),
});

export const NodeDifference = z
  .object({
    nodeId: z.string().describe('The node; inside loops with rounds: `loop[3].inner`'),
    change: z.enum(['output', 'status', 'no_longer_run', 'newly_run']).meta({ description: 'What differs' }),
    before: side.meta({ description: 'In the recorded run' }),
    after: side.meta({ description: 'In the replay' }),
  })
  .meta({ id: 'NodeDifference', description: 'A node whose results in two runs differ' });
export type NodeDifference = z.infer<typeof NodeDifference>;

export const Replay = z
  .object({
    executionId: z.string().meta({ description: 'The recorded run' }),
    replayId: z.string().meta({ description: 'The run of the changed workflow with its data' }),
    status: z.enum(['same', 'different', 'running']).describe('Whether the results are those of the recorded run'),
    differences: z.array(NodeDifference).meta({ description: 'The nodes that differ' }),
  })
  .meta({
    id: 'Replay',
    description: 'A recorded run, run again on another version with what its nodes gave from outside',
  });
export type Replay = z.infer<typeof Replay>;

export const ReplayList = z
  .object({ data: z.array(Replay).describe('The items') })
  .meta({ id: 'ReplayList', description: 'Replays of recorded runs' });
