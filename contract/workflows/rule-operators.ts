/** The operators of the `filter` node and of conditions that are built from rows. */
export const RULE_OPERATORS = [
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
  'matches',
  'not_matches',
  'between',
  'is_null',
  'is_not_null',
  'is_empty',
  'is_not_empty',
] as const;

/** The operators that can ignore the case of letters (`ignoreCase`). */
export const IGNORE_CASE_OPERATORS: readonly (typeof RULE_OPERATORS)[number][] = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'matches',
  'not_matches',
];
