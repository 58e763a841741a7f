import type { FieldError } from '@/contract/error';
import type { FormField } from '@/contract/form-fields';

/** Why the file fields of a form cannot be saved: the service does not store files. */
export const fileFieldIssues = (fields: readonly FormField[]): FieldError[] =>
  fields.flatMap(({ kind }, index) =>
    kind === 'file' ? [{ field: `[${index}].kind`, message: 'cannot be file: the service does not store files' }] : [],
  );
