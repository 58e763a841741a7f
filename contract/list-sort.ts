import { z } from 'zod';

/** The orders of lists of named objects: a field, and `-` before it for the reverse. */
const NAMED_LIST_SORTS = ['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;
export type NamedListSort = (typeof NAMED_LIST_SORTS)[number];

export const NamedListSortField = z
  .enum(NAMED_LIST_SORTS)
  .default('-createdAt')
  .meta({ description: 'The order; `-` reverses it. Names are compared without regard to capitals.' });

/** The orders of the list of runs, which has an index for them alone. */
const RUN_LIST_SORTS = ['createdAt', '-createdAt'] as const;
export type RunListSort = (typeof RUN_LIST_SORTS)[number];

export const RunListSortField = z
  .enum(RUN_LIST_SORTS)
  .default('-createdAt')
  .meta({ description: 'The order; `-createdAt` is newest first' });
