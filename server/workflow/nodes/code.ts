import { z } from 'zod';
import { runProgram } from '@/server/evaluation/evaluator/evaluation';
import { completeNode, defineNodeType } from './node-type';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { choiceField, literalField, requiredField } from './field-traits';
import { completePreludeValue, describePreludeData } from './prelude-items';

/** CPU time in milliseconds: the default and the maximum. */
const DEFAULT_CODE_CPU_MS = 5000;
export const MAX_CODE_CPU_MS = 60_000;
export const CODE_MEMORY_BYTES = 64 * 1024 * 1024;

/** Failures that a retry would not change. */
const PERMANENT_CODE_FAILURES = new Set(['CODE_MEMORY', 'OUTPUT_TOO_LARGE']);

export const codeNodeType = defineNodeType({
  type: 'code',
  title: 'Code',
  summary: 'Runs JavaScript or Python in a sandbox; its return value is the output.',
  synonyms: [
    'javascript',
    'js',
    'function',
    'script',
    'program',
    'custom',
    'typescript',
    'node.js',
    'python',
    'throw error',
    'stop and error',
  ],
  category: 'data',
  config: z.strictObject({
    language: choiceField(
      { javascript: 'JavaScript', python: 'Python' },
      { apiDescription: 'The language of the code', title: 'Language', default: 'javascript' },
    ),
    source: z
      .string()
      .max(100_000)
      .optional()
      .apply(literalField)
      .apply(requiredField)
      .meta({
        title: 'Source',
        description:
          'The body of a function (input, nodes, execution); vars is there, too, and in JavaScript helpers. No network and no files; 64 MiB (Python: 192), and 5 seconds of CPU time by default (at most 60).',
        examples: [
          'return input.items.filter((item) => item.price > 10);',
          'return [item for item in input["items"] if item["price"] > 10]',
        ],
        'x-editor': 'javascript',
      }),
  }),
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  tool: {},
  inTests: 'run',
  startsEarly: true,
  timesItself: true,
  maxTimeoutMs: MAX_CODE_CPU_MS,
  async run({
    config: { language = 'javascript', source = '' },
    input,
    nodes,
    execution,
    vars,
    timeZone,
    timeoutMs = DEFAULT_CODE_CPU_MS,
    signal,
    waitForSlot: room,
    log,
    secrets,
    workspaceId,
    language: dialect,
    preludeScope,
  }) {
    // Data that the code does not refer to is not transferred.
    const ifUsed = (name: string, value: unknown) => (source.includes(name) ? value : {});
    const hasPrelude = dialect === 'n8n' && language === 'javascript';
    const prelude = hasPrelude
      ? describePreludeData({ input, nodes, execution, vars, ...preludeScope }, source)
      : undefined;
    await room();
    const finished = await runProgram(
      {
        language,
        source,
        input,
        nodes: ifUsed('nodes', nodes),
        execution: ifUsed('execution', execution),
        vars,
        timeZone,
        cpuMs: Math.min(timeoutMs, MAX_CODE_CPU_MS),
        memoryBytes: CODE_MEMORY_BYTES,
        secrets: secrets.all,
        prelude,
      },
      { workspaceId, signal },
    );
    for (const { level, message } of finished.logs) log(level, message, true);
    if (finished.ok) return dialect === 'n8n' ? completePreludeValue(finished.value) : completeNode(finished.value);
    const { code: reason, message } = finished.failure;
    throw new NodeFailure(reason, message, !PERMANENT_CODE_FAILURES.has(reason));
  },
});
