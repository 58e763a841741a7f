import { z } from 'zod';
import { CreatedAt, ObjectId, optionalStartNodeId, StartNodeId, UpdatedAt, WorkflowId } from '../shared-fields';
import { FORM_FIELD_TYPES, validateFormField } from './form-fields';
import { pageSchema, boundedText } from '../text';
import { WebhookPath } from './webhook';

const FormFieldOptionSchema = z.strictObject({
  value: boundedText(1, 200).describe('What the run is given for the option'),
  label: boundedText(1, 200).describe('Shown beside the field'),
});

/** A form field in responses. */
export const FormFieldSchema = z
  .strictObject({
    name: boundedText(1, 64).meta({ description: 'The key of its value' }),
    label: boundedText(1, 200).describe('Shown beside the field'),
    kind: z.enum(FORM_FIELD_TYPES).describe('What can be entered, such as `email` or `date`'),
    required: z.boolean().optional().describe('Whether it must have a value'),
    options: z
      .array(z.union([boundedText(1, 200), FormFieldOptionSchema]))
      .max(200)
      .optional()
      .meta({ description: 'For select and multiselect. A text is both value and label' }),
    min: z
      .union([z.number(), boundedText(1, 40)])
      .optional()
      .meta({
        description:
          'Least number; of texts the least length, of multiselect the least number of choices, of dates the first date (a text)',
      }),
    max: z
      .union([z.number(), boundedText(1, 40)])
      .optional()
      .meta({ description: 'The same as an upper bound' }),
    pattern: boundedText(1, 500).optional().meta({ description: 'A regular expression that the whole text matches' }),
    help: boundedText(0, 1000).optional().describe('A hint below the field'),
  })
  .meta({ id: 'FormField', description: 'A field of a form or approval' });

export const MAX_FORM_FIELDS = 50;
/** The JSON of all fields has at most this many characters, because every approval that shows them stores them. */
const MAX_FIELDS_JSON_LENGTH = 64 * 1024;

/** The fields of a form in requests, which validates them. */
export const FormFieldsSchema = z
  .array(
    FormFieldSchema.superRefine((field, context) => {
      for (const { field: part, message } of validateFormField(field))
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
    if (JSON.stringify(fields).length > MAX_FIELDS_JSON_LENGTH)
      context.addIssue({ code: 'custom', message: `may have at most ${MAX_FIELDS_JSON_LENGTH} characters as JSON` });
  });

/** public: every visitor who has the address. members: signed-in members of the workspace. */
export const FormAccessMode = z
  .enum(['public', 'members'])
  .meta({ id: 'FormAccess', description: 'Who may open the page: members who are signed in, or anyone' });
export type FormAccessMode = z.infer<typeof FormAccessMode>;

/** `URL.canParse` also accepts line breaks and a missing `//`, which a Location header must not have. */
export const RedirectAddress = boundedText(1, 2000).refine(
  (address) => /^https?:\/\/\S+$/i.test(address) && URL.canParse(address),
  {
    error: 'must be an http or https address',
  },
);

/** The page that the sender of a form sees afterwards. */
export const FormSubmitResponse = z
  .discriminatedUnion('mode', [
    z
      .strictObject({
        mode: z.literal('message').describe('Which of the forms the fields beside it have'),
        message: boundedText(1, 10_000).describe('What the sender reads, as Markdown'),
      })
      .meta({ description: 'A page with a text' }),
    z
      .strictObject({
        mode: z.literal('redirect').describe('Which of the forms the fields beside it have'),
        url: RedirectAddress.describe('The address'),
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
export type FormSubmitResponse = z.infer<typeof FormSubmitResponse>;

const formSettingsFields = {
  path: WebhookPath.describe('The path in its address'),
  title: boundedText(1, 200).describe('Heading that people see'),
  description: boundedText(0, 5000).describe('What it is for; may be empty'),
  fields: FormFieldsSchema.describe('The fields of the form, in order'),
  access: FormAccessMode,
  response: FormSubmitResponse,
  startNodeId: optionalStartNodeId,
};

export const CreateFormRequest = z.strictObject({
  ...formSettingsFields,
  description: formSettingsFields.description.default('').describe('What it is for; may be empty'),
});

export type CreateFormRequest = z.input<typeof CreateFormRequest>;

export const UpdateFormRequest = z.strictObject(formSettingsFields).partial();

export const FormTrigger = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    path: z.string().describe('The path in its address'),
    url: z.string().meta({ description: 'The page' }),
    title: z.string().describe('Heading that people see'),
    description: z.string().describe('What it is for; may be empty'),
    fields: z.array(FormFieldSchema).describe('The fields of the form, in order'),
    access: FormAccessMode,
    response: FormSubmitResponse,
    startNodeId: StartNodeId,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  })
  .meta({ id: 'Form', description: 'A page with fields that starts a run' });
export type FormTrigger = z.infer<typeof FormTrigger>;

export const ListFormsResponse = pageSchema(FormTrigger).meta({ id: 'FormPage' });
