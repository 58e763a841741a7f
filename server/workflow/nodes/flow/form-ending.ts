import { z } from 'zod';
import { RedirectAddress } from '@/contract/triggers/form';
import { isFileValue } from '@/contract/file-value';
import type { FieldIssue } from '@/contract/error-response';
import { createConfigFailure } from '@/server/platform/errors/node-failure';
import { defineNodeType, type FormEnding } from '../node-type';
import { choiceField, markupField } from '../field-traits';

export const MAX_ENDING_MESSAGE = 10_000;
export const MAX_ENDING_HTML = 100_000;

const ENDING_LABELS = { message: 'A message', html: 'HTML', redirect: 'Another address', file: 'A file' } as const;
type EndingKind = keyof typeof ENDING_LABELS;

const onlyForEndings = (...kinds: EndingKind[]) => ({ 'x-when': { show: kinds } });

/** The field without which an ending shows nothing. */
const NEEDED_FIELDS: Readonly<Partial<Record<EndingKind, string>>> = { html: 'html', redirect: 'url', file: 'file' };

function findMissingField({ show = 'message', ...fields }: Record<string, unknown>): FieldIssue[] {
  const needed = NEEDED_FIELDS[show as EndingKind];
  const isMissing = needed !== undefined && (fields[needed] === undefined || fields[needed] === '');
  return isMissing ? [{ field: needed, message: `${needed} is required` }] : [];
}

const formEndingConfig = z.strictObject({
  show: choiceField(ENDING_LABELS, {
    title: 'Shows',
    description: 'What the visitor sees at the end.',
    default: 'message',
  }),
  title: z
    .string()
    .max(200)
    .optional()
    .meta({ title: 'Title', description: 'Empty: that of the form.', ...onlyForEndings('message', 'file') }),
  message: z
    .string()
    .max(MAX_ENDING_MESSAGE)
    .optional()
    .meta({
      title: 'Message',
      description: 'Plain text.',
      'x-editor': 'multiline',
      ...onlyForEndings('message', 'file'),
    }),
  html: z
    .string()
    .max(MAX_ENDING_HTML)
    .optional()
    .apply(markupField)
    .meta({
      title: 'HTML',
      description: 'The whole page. The browser gives it no rights of this site.',
      'x-editor': 'multiline',
      ...onlyForEndings('html'),
    }),
  url: RedirectAddress.optional().meta({
    title: 'Address',
    description: 'An http or https address.',
    examples: ['https://example.com/thanks'],
    ...onlyForEndings('redirect'),
  }),
  file: z
    .unknown()
    .optional()
    .meta({
      title: 'File',
      description: 'A file value, such as {{ input.file }}. The page has a button that downloads it.',
      'x-editor': 'line',
      ...onlyForEndings('file'),
    }),
});

export const formEndingNodeType = defineNodeType({
  type: 'form_ending',
  title: 'Form ending',
  summary: 'Shows the visitor of the form how it ended; the run continues.',
  synonyms: ['completion', 'thank you', 'last page', 'confirmation', 'redirect', 'download', 'result', 'form'],
  category: 'human',
  config: formEndingConfig,
  gaps: findMissingField,
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  endsForm: true,
  async run({ config, input, files }) {
    // Only a file that the run may read is shown.
    if (config.show === 'file') await files.find(config.file);
    return { kind: 'done', port: 'output', output: input, ending: toFormEnding(config) };
  },
});

function toFormEnding({
  show = 'message',
  title,
  message = '',
  html = '',
  url,
  file,
}: z.output<typeof formEndingConfig>): FormEnding {
  switch (show) {
    case 'html':
      return { show, html };
    case 'redirect':
      if (url === undefined) throw createConfigFailure('url', 'is required');
      return { show, url };
    case 'file':
      if (!isFileValue(file)) throw createConfigFailure('file', 'is not a file');
      return { show, title, message, file };
    default:
      return { show, title, message };
  }
}
