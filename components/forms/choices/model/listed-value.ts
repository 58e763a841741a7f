import type { FieldSchema } from '../../model/field-schema';

/**
 * A picked or typed value as the field takes it: services list numbers for fields that take texts, and people type the
 * numbers of fields that take numbers.
 */
export function toListedValue({ type }: Pick<FieldSchema, 'type'>, value: unknown): unknown {
  if (type === 'string') return typeof value === 'number' ? String(value) : value;
  if (type !== 'number' && type !== 'integer') return value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}
