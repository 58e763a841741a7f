import { z } from 'zod';
import { runProgram } from '../sandbox/sandbox';
import { done, NodeFailure, nodeKind } from './node';

/** What makes no difference to try again. */
const LASTING = new Set(['CODE_MEMORY', 'OUTPUT_TOO_LARGE']);

export const code = nodeKind({
  type: 'code',
  title: 'Code',
  summary: 'Runs JavaScript in a sandbox; what it returns is the output.',
  category: 'data',
  config: z.strictObject({
    language: z.literal('javascript').optional().meta({ title: 'Language', default: 'javascript' }),
    source: z
      .string()
      .max(100_000)
      .optional()
      .meta({
        title: 'Source',
        description:
          'The body of async (input, nodes, execution). No network and no files; 64 MiB, and 5 seconds of processor time unless the node says otherwise.',
        examples: ['return input.items.filter((item) => item.price > 10);'],
        'x-editor': 'javascript',
      }),
  }),
  required: ['source'],
  expressions: [],
  literals: ['language', 'source'],
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  timesItself: true,
  async run({ config: { source = '' }, input, nodes, execution, timeoutMs, signal, room, log }) {
    // What the code doesn't name needn't be carried over.
    const named = (name: string, value: unknown) => (source.includes(name) ? value : {});
    const finished = await runProgram(
      { source, input, nodes: named('nodes', nodes), execution: named('execution', execution), cpuMs: timeoutMs },
      signal,
      room,
    );
    for (const { level, message } of finished.logs) log(level, message);
    if (finished.ok) return done(JSON.parse(finished.json) as unknown);
    throw new NodeFailure(finished.code, finished.message, !LASTING.has(finished.code));
  },
});
