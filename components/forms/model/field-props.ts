import type { FieldSchema } from './field-schema';

/** Props of every control. `undefined` is the value of an empty field. */
export interface FieldControlProps {
  name: string;
  schema: FieldSchema;
  value: unknown;
  isRequired: boolean;
  /** Path of the field in the form, e.g. `cases[0].port`; the key of its error. */
  path: string;
  errors: ReadonlyMap<string, string>;
  /** The values of the object that the field is in. */
  siblings?: Readonly<Record<string, unknown>>;
  /** The schemas of the fields of that object. */
  siblingSchemas?: Readonly<Record<string, FieldSchema>>;
  /** The field that can be filled in instead of this one. */
  alternative?: AlternativeField;
  onChange(value: unknown): void;
}

/** A field that excludes another one: a value of the one removes that of the other. */
export type AlternativeField = Pick<FieldControlProps, 'name' | 'schema' | 'value' | 'path' | 'onChange'>;
