import type { FieldError } from '@/contract/error';

/** What is wrong with a list as a whole: there is none, it is none, or it is too long. */
export const listIssue = (field: string, value: unknown, most: number): FieldError[] => {
  if (!Array.isArray(value)) return [{ field, message: value === undefined ? 'is required' : 'must be an array' }];
  return value.length > most ? [{ field, message: `may have at most ${most} entries` }] : [];
};
