import { z } from 'zod';
import { JsonObject } from '@/contract/text';
import { serializeJson } from '@/server/evaluation/expressions/large-json';
import { defineNodeType, type NodeRunResult, type LoopRepetition, type NodeRunContext } from '../node-type';
import { createNodeFailure, NodeFailure } from '@/server/platform/errors/node-failure';
import { scopedExpressionField, innerDefinitionField, requiredField } from '../field-traits';

export const MAX_REPEAT_ROUNDS = 10_000;
const MAX_ROUND_DELAY_MS = 365 * 86_400_000;
/** Maximum size of the outputs that are collected, in characters of JSON. */
const MAX_COLLECTED_CHARACTERS = 10 * 1024 * 1024;

const repeatConfig = z.strictObject({
  until: z
    .string()
    .max(10_000)
    .optional()
    .apply(scopedExpressionField, ['output', 'index', 'input'])
    .apply(requiredField)
    .meta({
      title: 'Until',
      description:
        'An expression that is true after the last round, and false after any other. It reads output (of the round), index (from 0) and input (of this node).',
      examples: ['output.status = "done"'],
      'x-editor': 'condition',
    }),
  maxRounds: z
    .number()
    .int()
    .min(1)
    .max(MAX_REPEAT_ROUNDS)
    .optional()
    .apply(requiredField)
    .meta({ title: 'Rounds at most', description: 'From 1 to 10,000.', examples: [100] }),
  onMax: z
    .enum(['fail', 'continue'])
    .optional()
    .meta({
      title: 'When still not done',
      apiDescription: 'fail: the node fails with MAX_ROUNDS. continue: it completes, with isDone false.',
      'x-labels': { fail: 'Fail', continue: 'Go on, marked as not done' },
      default: 'fail',
    }),
  delayMs: z.number().int().min(0).max(MAX_ROUND_DELAY_MS).optional().meta({
    title: 'Delay between rounds',
    description: 'At most a year. A waiting run uses no resources.',
    'x-editor': 'duration',
  }),
  collect: z.boolean().optional().meta({
    title: 'Collect outputs',
    description: 'The output has the outputs of all rounds in outputs; together at most 10 MiB.',
    default: false,
  }),
  body: JsonObject.optional().apply(innerDefinitionField).apply(requiredField).meta({
    title: 'Body',
    description: 'Nodes and connections of a round. Its start gets {index, previous, input}.',
    'x-editor': 'definition',
  }),
});

type RepeatContext = Pick<
  NodeRunContext<z.output<typeof repeatConfig>>,
  'config' | 'nodeId' | 'round' | 'input' | 'evaluate'
>;

/** Whether the expression is true. Neither true nor false is probably a mistake, which would cost all rounds. */
async function evaluateUntil({
  config: { until = '' },
  nodeId,
  round,
  input,
  evaluate,
}: RepeatContext): Promise<boolean> {
  const scope = { output: round?.output, index: round?.progress.round, input };
  const { until: value } = await evaluate({ until }, scope);
  if (typeof value === 'boolean') return value;
  const found = value === undefined || value === null ? 'it has no value' : `it is ${describeType(value)}`;
  const problem = `The expression must be true or false, but after round ${round?.progress.round} ${found}.`;
  const expression = { field: 'config.until', source: until, position: 0 };
  throw createNodeFailure('EXPRESSION', { nodeId, field: 'config.until', problem }, { expression });
}

const describeType = (value: unknown) =>
  Array.isArray(value)
    ? 'a list'
    : typeof value === 'string'
      ? 'a text'
      : typeof value === 'number'
        ? 'a number'
        : 'an object';

const continueRepeat = (progress: LoopRepetition): NodeRunResult => ({ kind: 'round', progress });

/** Counts the characters of the outputs that are collected, including that of this round. */
function addCollectedSize({ config: { collect }, round }: RepeatContext): number | undefined {
  if (!collect) return undefined;
  const collected = (round?.progress.collected ?? 0) + (serializeJson(round?.output)?.length ?? 0);
  if (collected <= MAX_COLLECTED_CHARACTERS) return collected;
  throw new NodeFailure('OUTPUT_TOO_LARGE', 'The outputs of the rounds together are larger than 10 MiB.', false);
}

export const repeatNodeType = defineNodeType({
  type: 'repeat',
  title: 'Repeat',
  summary: 'Runs an inner workflow again and again, until an expression is true.',
  synonyms: [
    'until',
    'loop until',
    'while',
    'while loop',
    'repeat until',
    'do until',
    'do while',
    'poll',
    'retry until',
    'pages',
  ],
  category: 'logic',
  config: repeatConfig,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  timesItself: true,
  async run(context) {
    const { config: settings, round } = context;
    if (!round) return continueRepeat({ round: 0 });
    const { maxRounds = MAX_REPEAT_ROUNDS, onMax, delayMs = 0, collect = false } = settings;
    const isDone = await evaluateUntil(context);
    const collected = addCollectedSize(context);
    const index = round.progress.round;
    if (isDone) return continueRepeat({ round: index, collected, end: { isDone, isCollected: collect } });
    if (index + 1 < maxRounds) {
      const notBefore = delayMs > 0 ? new Date(Date.now() + delayMs).toISOString() : undefined;
      return continueRepeat({ round: index + 1, collected, notBefore });
    }
    if (onMax === 'continue') return continueRepeat({ round: index, collected, end: { isDone, isCollected: collect } });
    throw createNodeFailure('MAX_ROUNDS', { maxRounds });
  },
});
