import type { Schema } from './schema';

/** Props of every control. `undefined` is the value of an empty field. */
export interface FieldProps {
  name: string;
  schema: Schema;
  value: unknown;
  isRequired: boolean;
  /** Path of the field in the form, e.g. `cases[0].port`; the key of its error. */
  path: string;
  errors: ReadonlyMap<string, string>;
  onChange(value: unknown): void;
}
