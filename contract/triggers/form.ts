import { z } from 'zod';
import { CreatedAt, ObjectId, UpdatedAt, WorkflowId } from '../shared-fields';
import { FIELD_KINDS, fieldIssues } from './form-fields';
import { page, text } from '../text';
import { WebhookPath } from './webhook';

const FieldOption = z.strictObject({
  value: text(1, 200).describe('What the run is given for the option'),
  label: text(1, 200).describe('Shown beside the field'),
});

/** A field as answers show it. */
export const FormField = z
  .strictObject({
    name: text(1, 64).meta({ description: 'The key of its value' }),
    label: text(1, 200).describe('Shown beside the field'),
    kind: z.enum(FIELD_KINDS).describe('What can be entered, such as `email` or `date`'),
    required: z.boolean().optional().describe('Whether it must have a value'),
    options: z
      .array(z.union([text(1, 200), FieldOption]))
      .max(200)
      .optional()
      .meta({ description: 'For select and multiselect. A text is both value and label' }),
    min: z
      .union([z.number(), text(1, 40)])
      .optional()
      .meta({
        description:
          'Least number; of texts the least length, of multiselect the least number of choices, of dates the first date (a text)',
      }),
    max: z
      .union([z.number(), text(1, 40)])
      .optional()
      .meta({ description: 'The same as an upper bound' }),
    pattern: text(1, 500).optional().meta({ description: 'A regular expression that the whole text matches' }),
    help: text(0, 1000).optional().describe('A hint below the field'),
  })
  .meta({ id: 'FormField', description: 'A field of a form or approval' });

export const MAX_FORM_FIELDS = 50;
/** Characters of JSON: fields are stored with every approval that shows them. */
const MAX_SIZE = 64 * 1024;

/** The fields of a form as they are written. */
export const FormFields = z
  .array(
    FormField.superRefine((field, context) => {
      for (const { field: part, message } of fieldIssues(field))
        context.addIssue({ code: 'custom', path: [part], message, input: field });
    }),
  )
  .max(MAX_FORM_FIELDS)
  .superRefine((fields, context) => {
    const names = new Set<string>();
    for (const [index, { name }] of fields.entries()) {
      if (names.has(name)) context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is used twice' });
      names.add(name);
    }
    if (JSON.stringify(fields).length > MAX_SIZE)
      context.addIssue({ code: 'custom', message: `may have at most ${MAX_SIZE} characters as JSON` });
  });

/** public: every visitor who has the address. members: signed-in members of the workspace. */
export const FormAccess = z
  .enum(['public', 'members'])
  .meta({ id: 'FormAccess', description: 'Who may open the page: members who are signed in, or anyone' });
export type FormAccess = z.infer<typeof FormAccess>;

/** The parser of addresses also takes line breaks and a missing `//`, which a header must not have. */
const WebAddress = text(1, 2000).refine((address) => /^https?:\/\/\S+$/i.test(address) && URL.canParse(address), {
  error: 'must be an http or https address',
});

/** What the sender of a form sees. */
export const FormResponse = z
  .discriminatedUnion('mode', [
    z
      .strictObject({
        mode: z.literal('message').describe('Which of the forms the fields beside it have'),
        message: text(1, 10_000).describe('What the sender reads, as Markdown'),
      })
      .meta({ description: 'A page with a text' }),
    z
      .strictObject({
        mode: z.literal('redirect').describe('Which of the forms the fields beside it have'),
        url: WebAddress.describe('The address'),
      })
      .meta({ description: '303 to another address' }),
    z
      .strictObject({
        mode: z.literal('run_output').describe('Which of the forms the fields beside it have'),
        timeoutMs: z.number().int().min(1000).max(120_000).default(30_000).meta({
          description: 'Milliseconds after which the page says that the run continues',
        }),
      })
      .meta({ description: 'A page with the output of the run' }),
  ])
  .meta({ id: 'FormResponse', description: 'What the sender of a form sees next' });
export type FormResponse = z.infer<typeof FormResponse>;

const settings = {
  path: WebhookPath.describe('The path in its address'),
  title: text(1, 200).describe('Heading that people see'),
  description: text(0, 5000).describe('What it is for; may be empty'),
  fields: FormFields.describe('The fields of the form, in order'),
  access: FormAccess,
  response: FormResponse,
};

export const FormCreate = z.strictObject({
  ...settings,
  description: settings.description.default('').describe('What it is for; may be empty'),
});

export type FormCreate = z.input<typeof FormCreate>;

export const FormUpdate = z.strictObject(settings).partial();

export const Form = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    path: z.string().describe('The path in its address'),
    url: z.string().meta({ description: 'The page' }),
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    fields: z.array(FormField).describe('The fields of the form, in order'),
    access: FormAccess,
    response: FormResponse,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Form', description: 'A page with fields that starts a run' });
export type Form = z.infer<typeof Form>;

export const FormPage = page(Form).meta({ id: 'FormPage' });
