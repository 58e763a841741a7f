import { z } from 'zod';
import {
  TEXT_ENCODINGS,
  CONVERSION_FORMATS,
  isBinaryFormat,
  conversionOptions,
  OPTIONS_BY_PAIR,
  CONVERSION_TARGETS,
  type ConversionFormat,
} from '@/contract/workflows/conversions';
import {
  runConversion,
  EvaluationFailedError,
  type ConvertedContent,
  type EvaluationContext,
} from '@/server/evaluation/evaluator/evaluation';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { WorkspaceFileAccess } from '@/server/network/outbound/files';
import { loadConversionContent, storeConvertedFiles } from './convert-content';
import { readMailWithFiles, readMailText } from './convert-mail';
import { completeNode, defineNodeType } from '../node-type';
import { literalField, largeValueField, requiredField } from '../field-traits';

const selectionSchema = z.union(
  [
    z.string().min(1).max(1000),
    z.strictObject({
      css: z.string().min(1).max(1000).meta({ apiDescription: 'A CSS selector' }),
      read: z.enum(['text', 'fullText', 'html', 'value']).optional().meta({
        apiDescription:
          'The text without white space around it (default), all of the text, the HTML in the element, or the value of a field of a form',
      }),
      attribute: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ apiDescription: 'The attribute to read instead of the text' }),
      all: z.boolean().optional().meta({ apiDescription: 'All matches instead of the first one' }),
    }),
  ],
  { error: 'must be a CSS selector, or {css, read, attribute, all}' },
);

/** Encodings as people know them: `UTF-8`, `Windows-1252`. */
const ENCODING_LABELS = Object.fromEntries(
  TEXT_ENCODINGS.map((name) => [
    name,
    name
      .replace(/^(windows|macintosh|latin)/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
      .replace(/^(utf|iso|koi|shift_jis|euc|gb|big).*$/, (word) => word.toUpperCase().replace('_', ' ')),
  ]),
);

const conversionOptionsSchema = z.strictObject({
  select: z
    .record(z.string(), selectionSchema)
    .optional()
    .meta({
      title: 'Select',
      description: 'Fields of the result: a CSS selector each, or {css, read, attribute, all}.',
      examples: [{ title: 'h1', links: { css: 'a', attribute: 'href', all: true } }],
      'x-editor': 'json',
    }),
  sheet: z
    .union([z.string().min(1).max(100), z.int().min(1).max(1000)], { error: 'must be a name or a number from 1' })
    .optional()
    .meta({ title: 'Sheet', description: 'Name or number of the sheet. Default: the first.', 'x-editor': 'line' }),
  delimiter: z
    .string()
    .min(1)
    .max(10)
    .optional()
    .meta({
      title: 'Delimiter',
      description: 'What separates the cells. When CSV is read it is found by itself.',
      'x-editor': 'suggested',
      'x-labels': { auto: 'Find it', ',': 'Comma', ';': 'Semicolon', tab: 'Tab', '|': 'Vertical bar' },
    }),
  quote: z.string().max(1).optional().meta({ title: 'Quote', description: 'Empty: none.', default: '"' }),
  header: z
    .boolean()
    .optional()
    .meta({ title: 'Header', description: 'The first row contains the names of the columns.', default: true }),
  headerRow: z.int().min(1).max(1_048_576).optional().meta({
    title: 'Header row',
    description: 'The number of the row with the names, if others are above it. Default: the first that is not empty.',
  }),
  columns: z
    .array(z.string().max(500))
    .min(1)
    .max(16_384)
    .optional()
    .meta({ title: 'Columns', description: 'The columns to write, in their order. Default: all fields.' }),
  types: z.boolean().optional().meta({
    title: 'Detect types',
    description: 'Numbers and true or false become values; for xlsx, dates in ISO 8601 become dates.',
    default: false,
  }),
  escapeFormulas: z.boolean().optional().meta({
    title: 'Escape formulas',
    description: 'Texts that a spreadsheet program would compute begin with an apostrophe.',
    default: false,
  }),
  lists: z
    .array(z.string().min(1).max(200))
    .max(100)
    .optional()
    .meta({ title: 'Always lists', description: 'Names of elements that are lists even if there is one.' }),
  root: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ apiDescription: 'The name of the root element', title: 'Root element', default: 'root' }),
  rawHtml: z
    .enum(['escape', 'drop', 'keep'])
    .optional()
    .meta({
      title: 'HTML inside Markdown',
      description: 'To keep it trusts the text: it may contain scripts.',
      'x-labels': { escape: 'Show it as text', drop: 'Leave it out', keep: 'Keep it' },
      default: 'escape',
    }),
  indent: z
    .int()
    .min(0)
    .max(8)
    .optional()
    .meta({ apiDescription: 'Spaces for each level; 0: one line', title: 'Indent' }),
  password: z.string().max(200).optional().meta({ apiDescription: 'Opens an encrypted file', title: 'Password' }),
  encoding: z.enum(TEXT_ENCODINGS).optional().meta({
    apiDescription: 'How the text is written in bytes',
    title: 'Encoding of the file',
    'x-labels': ENCODING_LABELS,
    default: 'utf-8',
  }),
  asFile: z
    .boolean()
    .optional()
    .meta({ title: 'As a file', description: 'The result is the value of a file, of at most 50 MiB.', default: false }),
  outputEncoding: z.enum(TEXT_ENCODINGS).optional().meta({
    apiDescription: 'The encoding of the result',
    title: 'Encoding of the result',
    'x-labels': ENCODING_LABELS,
    default: 'utf-8',
  }),
  bom: z.boolean().optional().meta({
    title: 'Byte order mark',
    description: 'Excel needs one to read UTF-8.',
    default: false,
  }),
  name: z.string().min(1).max(200).optional().meta({ apiDescription: 'File name of the result', title: 'File name' }),
  contentType: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ apiDescription: 'The media type', title: 'Content type of the file' }),
});

/** The issue of a pair of formats, or of an option that it does not take. */
function findPairIssues(config: { from?: ConversionFormat; to?: ConversionFormat; options?: object }) {
  const { from, to, options = {} } = config;
  if (!from || !to) return [];
  if (!CONVERSION_TARGETS[from].includes(to)) {
    const message = `${from} cannot become ${to}. It can become ${CONVERSION_TARGETS[from].join(', ')}`;
    return [{ path: ['to'], message }];
  }
  const known = conversionOptions(from, to);
  return Object.keys(options).flatMap((name) =>
    known.includes(name)
      ? []
      : [
          {
            path: ['options', name],
            message: `is no option of ${from} to ${to}. Its options: ${known.join(', ') || 'none'}`,
          },
        ],
  );
}

/** A message is parsed as `read_email` parses it. */
async function convertMailMessage(
  to: 'json' | 'text',
  content: string | Buffer | undefined,
  { isFile, files, ...purpose }: EvaluationContext & { isFile: boolean; files: WorkspaceFileAccess },
): Promise<ConvertedContent> {
  const value = to === 'text' ? await readMailText(content, purpose) : await readMailWithFiles(content, files, purpose);
  if (!isFile) return { value };
  return { files: [{ content: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) }] };
}

export const convertNodeType = defineNodeType({
  type: 'convert',
  title: 'Convert',
  summary: 'Converts data between formats: CSV, Excel, JSON, XML, HTML, Markdown, PDF, email, ZIP and others.',
  synonyms: [
    'csv',
    'json',
    'parse json',
    'excel',
    'xlsx',
    'spreadsheet',
    'sheet',
    'xml',
    'html',
    'extract',
    'scrape',
    'pdf',
    'zip',
    'unzip',
    'gzip',
    'base64',
    'markdown',
    'ndjson',
    'parse',
    'encoding',
    'file',
    'extract from file',
    'convert to file',
    'compress',
    'rss',
    'eml',
    'email file',
  ],
  category: 'data',
  config: z
    .strictObject({
      value: z
        .unknown()
        .optional()
        .apply(largeValueField)
        .apply(requiredField)
        .meta({
          title: 'Value',
          description: 'A text, a value, or the value of a file; for zip also a list of files.',
          examples: ['{{ input.file }}'],
          'x-editor': 'json',
        }),
      from: z
        .enum(CONVERSION_FORMATS)
        .optional()
        .apply(literalField)
        .apply(requiredField)
        .meta({ apiDescription: 'The format of the value', title: 'From' }),
      to: z
        .enum(CONVERSION_FORMATS)
        .optional()
        .apply(literalField)
        .apply(requiredField)
        .meta({
          apiDescription: 'The format of the result',
          title: 'To',
          'x-choices-by': { field: 'from', choices: CONVERSION_TARGETS },
        }),
      options: conversionOptionsSchema.optional().meta({
        apiDescription: 'How the formats are read and written',
        title: 'Options',
        'x-shown-by': { fields: ['from', 'to'], shown: OPTIONS_BY_PAIR },
      }),
    })
    .superRefine((config, context) => {
      for (const issue of findPairIssues(config)) context.addIssue({ code: 'custom', ...issue });
    }),
  gaps: ({ from, to, options }) =>
    from === 'html' && to === 'json' && !(options as { select?: unknown } | undefined)?.select
      ? [{ field: 'options.select', message: 'is required: it names the fields of the result' }]
      : [],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  inTests: 'run',
  async run({ config, files, reserve, waitForSlot: room, signal, workspaceId }) {
    const { value, from = 'text', to = 'text', options = {} } = config;
    const { source, contents, name, charset } = await loadConversionContent(value, { from, to, files, reserve });
    await room();
    const isFile = isBinaryFormat(to) || options.asFile === true;
    let result: ConvertedContent;
    try {
      result =
        from === 'eml' && (to === 'json' || to === 'text')
          ? await convertMailMessage(to, contents[0], { isFile, files, workspaceId, signal })
          : await runConversion({ from, to, options, source, charset }, contents, { isFile, workspaceId, signal });
    } catch (error) {
      if (!(error instanceof EvaluationFailedError)) throw error;
      const { code, message } = error.failure;
      throw new NodeFailure(code, message, code === 'EVALUATION_ENDED' || code === 'EVALUATION_BUSY');
    }
    return completeNode(
      'value' in result ? result.value : await storeConvertedFiles(result.files, { from, to, options, name }, files),
    );
  },
});
