import type { FieldError } from '@/contract/error';

/** The issue of a list as a whole: it is missing, not a list, or too long. */
export const listIssue = (field: string, value: unknown, most: number): FieldError[] => {
  if (!Array.isArray(value)) return [{ field, message: value === undefined ? 'is required' : 'must be an array' }];
  return value.length > most ? [{ field, message: `may have at most ${most} entries` }] : [];
};
