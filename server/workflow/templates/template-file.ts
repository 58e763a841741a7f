import { z } from 'zod';
import { JsonObject, boundedText } from '@/contract/text';
import { WorkflowTemplate } from '@/contract/workflows/template';
import { WorkflowDefinition } from '@/contract/workflows/workflow';

/** A call to another service that a run makes, and the response that is stored for it. */
const ExampleCall = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: boundedText(1, 500).meta({
    description: 'The whole address; `*` stands for any text. `connector:<id>/…` is the API of a connector',
  }),
  status: z.number().int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().meta({ description: 'A text is sent as it is, anything else as JSON' }),
  request: z.unknown().optional().meta({ description: 'What the body of the call contains at least' }),
  calls: z.number().int().min(1).default(1).meta({ description: 'How often it is called' }),
});
export type ExampleCall = z.infer<typeof ExampleCall>;

/** An example run: its input, the responses of other services, and its end. */
const TemplateExample = z.strictObject({
  input: JsonObject.default({}),
  files: z
    .record(
      z.string(),
      z.strictObject({ name: boundedText(1, 200), contentType: boundedText(1, 100), text: boundedText(1, 10_000) }),
    )
    .default({})
    .meta({ description: 'Files of the input, by field; `field[]`: a list with the file' }),
  rows: z.array(JsonObject).default([]).meta({ description: 'Rows that the table has before' }),
  database: z.array(boundedText(1, 10_000)).default([]).meta({ description: 'SQL that prepares the database' }),
  workflow: WorkflowDefinition.optional().meta({ description: 'The workflow that is chosen as a value' }),
  calls: z.array(ExampleCall).default([]),
  decisions: z
    .record(z.string(), z.strictObject({ decision: z.enum(['approved', 'rejected']), data: JsonObject.optional() }))
    .default({}),
  received: JsonObject.optional().meta({ description: 'What is posted to the node that waits for a call' }),
  mails: z
    .array(
      z.strictObject({
        to: boundedText(1, 200),
        subject: boundedText(1, 500),
        contains: boundedText(1, 500).optional(),
      }),
    )
    .default([])
    .meta({ description: 'All mails that are sent' }),
  outcome: z.strictObject({
    status: z.enum(['completed', 'failed']).default('completed'),
    reached: z.array(boundedText(1, 200)).min(1).meta({ description: 'Nodes that complete' }),
    missed: z.array(boundedText(1, 200)).default([]).meta({ description: 'Nodes that are skipped' }),
    output: z.unknown().optional().meta({ description: 'What the output contains at least' }),
    rows: z.array(JsonObject).optional().meta({ description: 'The rows of the table afterwards, in any order' }),
  }),
});
export type TemplateExample = z.infer<typeof TemplateExample>;

/** A file of `data/`: a template and its example runs. */
export const TemplateFile = WorkflowTemplate.extend({ examples: z.array(TemplateExample).min(1) });
export type TemplateFile = z.infer<typeof TemplateFile>;
