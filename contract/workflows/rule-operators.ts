/** The operators of rules: of the node `filter`, and of conditions that are built from rows. */
export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'is_null',
  'is_not_null',
  'is_empty',
  'is_not_empty',
] as const;
