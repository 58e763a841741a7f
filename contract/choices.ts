import { z } from 'zod';
import { McpServerTool } from './mcp';
import { JsonObject, boundedText } from './text';

/** A page of choices has at most this many. */
export const MAX_CHOICES_PER_PAGE = 100;
/** Labels and hints have at most this many UTF-16 units. */
export const MAX_CHOICE_TEXT = 200;
/** The options of one column; further ones are left out. */
export const MAX_COLUMN_OPTIONS = 500;

export const ListChoicesRequest = z
  .strictObject({
    source: boundedText(1, 100).meta({
      description: 'One of the sources that the schema names in `x-choices` or `x-columns`',
      example: 'tables',
    }),
    credentialId: boundedText(1, 100)
      .optional()
      .describe('The credential with which the source is asked, if it needs one'),
    values: JsonObject.default({}).meta({
      description: 'The values of the fields on which the source depends, by their names',
      example: { tableId: 'tbl_4q6t8xb2w1' },
    }),
    search: boundedText(0, 200).optional().describe('Only choices whose label contains this text'),
    cursor: boundedText(1, 2000).optional().describe('`nextCursor` of the page before, with the same other fields'),
  })
  .meta({ id: 'ListChoicesRequest', description: 'What to list, and on what that depends' });
export type ListChoicesRequest = z.infer<typeof ListChoicesRequest>;

/**
 * The types of columns, for the controls of a form. A `date` has no time of day; an `optionList` takes a list of
 * options.
 */
export const ColumnValueType = z.enum([
  'text',
  'number',
  'boolean',
  'date',
  'timestamp',
  'options',
  'optionList',
  'json',
]);
export type ColumnValueType = z.infer<typeof ColumnValueType>;

const choiceFields = {
  value: z.union([z.string(), z.number()]).describe('What the field then holds'),
  label: z.string().describe('What people call it, at most 200 characters of plain text'),
  hint: z.string().optional().describe('What tells it from others with the same label, at most 200 characters'),
};

/** Something that a field can hold, with what people call it. */
export const FieldChoice = z
  .object({
    ...choiceFields,
    type: ColumnValueType.optional().describe('Of a column: the type of its values'),
    isRequired: z.boolean().optional().describe('Of a column: every row has a value'),
    tool: McpServerTool.optional().describe('Of a tool of an MCP server: what the server says of it'),
    options: z
      .array(z.object(choiceFields))
      .optional()
      .describe('Of a column of the type `options` or `optionList`: its values'),
  })
  .meta({ id: 'Choice', description: 'Something that a field can hold, with what people call it' });
export type FieldChoice = z.infer<typeof FieldChoice>;

export const ListChoicesResponse = z
  .object({
    data: z.array(FieldChoice).describe('The choices, at most 100'),
    nextCursor: z.string().nullable().meta({ description: 'Null: there are no more choices' }),
  })
  .meta({ id: 'ChoicePage', description: 'One page of choices' });
export type ListChoicesResponse = z.infer<typeof ListChoicesResponse>;
