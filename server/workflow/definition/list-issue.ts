import type { FieldIssue } from '@/contract/error-response';

/** The issue of a list as a whole: it is missing, not a list, or too long. */
export const wholeListIssues = (field: string, value: unknown, most: number): FieldIssue[] => {
  if (!Array.isArray(value)) return [{ field, message: value === undefined ? 'is required' : 'must be an array' }];
  return value.length > most ? [{ field, message: `may have at most ${most} entries` }] : [];
};
