import type { Schema } from './schema';

/** What every control of a form takes. `undefined` is the value of a field that isn't set. */
export interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  isRequired: boolean;
  /** Where the field is in the form, e.g. `cases[0].port`: finds its error. */
  path: string;
  errors: ReadonlyMap<string, string>;
  onChange(value: unknown): void;
}
