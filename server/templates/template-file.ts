import { z } from 'zod';
import { JsonObject, text } from '@/contract/text';
import { Template } from '@/contract/workflows/template';
import { Definition } from '@/contract/workflows/workflow';

/** An outside call that a run makes, and the answer that is stored for it. */
const ExampleCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: text(1, 500).meta({
    description: 'The whole address; `*` stands for any text. `connector:<id>/…` is the API of a connector',
  }),
  status: z.number().int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().meta({ description: 'A text is sent as it is, anything else as JSON' }),
  request: z.unknown().optional().meta({ description: 'What the body of the call contains at least' }),
  calls: z.number().int().min(1).default(1).meta({ description: 'How often it is called' }),
});
export type ExampleCall = z.infer<typeof ExampleCall>;

/** An example run: what starts it, how the rest of the world answers, and how it ends. */
const Example = z.strictObject({
  input: JsonObject.default({}),
  files: z
    .record(z.string(), z.strictObject({ name: text(1, 200), contentType: text(1, 100), text: text(1, 10_000) }))
    .default({})
    .meta({ description: 'Files of the input, by field; `field[]`: a list with the file' }),
  rows: z.array(JsonObject).default([]).meta({ description: 'Rows that the table has before' }),
  database: z.array(text(1, 10_000)).default([]).meta({ description: 'SQL that prepares the database' }),
  workflow: Definition.optional().meta({ description: 'The workflow that is chosen as a value' }),
  calls: z.array(ExampleCall).default([]),
  decisions: z
    .record(z.string(), z.strictObject({ decision: z.enum(['approved', 'rejected']), data: JsonObject.optional() }))
    .default({}),
  received: JsonObject.optional().meta({ description: 'What is posted to the node that waits for a call' }),
  mails: z
    .array(z.strictObject({ to: text(1, 200), subject: text(1, 500), contains: text(1, 500).optional() }))
    .default([])
    .meta({ description: 'All mails that are sent' }),
  outcome: z.strictObject({
    status: z.enum(['completed', 'failed']).default('completed'),
    reached: z.array(text(1, 200)).min(1).meta({ description: 'Nodes that complete' }),
    missed: z.array(text(1, 200)).default([]).meta({ description: 'Nodes that are skipped' }),
    output: z.unknown().optional().meta({ description: 'What the output contains at least' }),
    rows: z.array(JsonObject).optional().meta({ description: 'The rows of the table afterwards, in any order' }),
  }),
});
export type Example = z.infer<typeof Example>;

/** A file of `data/`: a template and its example runs. */
export const TemplateFile = Template.extend({ examples: z.array(Example).min(1) });
export type TemplateFile = z.infer<typeof TemplateFile>;
