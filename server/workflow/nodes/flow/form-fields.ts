import { FormFieldsSchema } from '@/contract/triggers/form';
import { savedFieldIssues } from '@/server/workflow/forms/fields';

/** The fields that a node asks for, with what only the service can check. */
export const nodeFormFields = FormFieldsSchema.superRefine((fields, context) => {
  for (const { field, message } of savedFieldIssues(fields)) {
    const [, index = '', part = ''] = /^\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
    context.addIssue({ code: 'custom', path: [Number(index), part], message });
  }
});
