import { z } from 'zod';
import { CreatedAt } from './shared-fields';
import { boundedText } from './text';

/** The lists whose filters can be saved. */
export const SavedFilterList = z
  .enum(['workflows', 'executions'])
  .meta({ id: 'SavedFilterList', description: 'The list that a saved filter belongs to' });
export type SavedFilterList = z.infer<typeof SavedFilterList>;

/** The most saved filters of a person in a workspace, of all lists together. */
export const MAX_SAVED_FILTERS = 100;
export const MAX_SAVED_FILTER_NAME = 60;

export const SavedFilterName = boundedText(1, MAX_SAVED_FILTER_NAME).refine((value) => value.trim() === value, {
  error: 'must not begin or end with a space',
});

const filterAddress = boundedText(1, 2000).meta({
  description: 'The part of the page’s address after `?`, which holds the filters and the order',
  example: 'status=failed&within=24',
});

/** A filter of a list that a person has saved under a name. */
export const SavedFilterResponse = z
  .object({
    list: SavedFilterList,
    name: z
      .string()
      .meta({ description: 'What the person calls it: each only once in a list', example: 'Failed today' }),
    address: filterAddress,
    createdAt: CreatedAt,
  })
  .meta({ id: 'SavedFilter', description: 'A filter of a list that the caller has saved' });
export type SavedFilterResponse = z.infer<typeof SavedFilterResponse>;

export const ListSavedFiltersResponse = z
  .object({ data: z.array(SavedFilterResponse).describe('All of them, by list and name') })
  .meta({ id: 'SavedFilters', description: 'The filters that the caller has saved in this workspace' });

export const SaveFilterRequest = z.strictObject({
  address: filterAddress,
  name: SavedFilterName.optional().meta({
    description: 'The new name of one that exists; absent: as in the address of the call',
    example: 'Failed this week',
  }),
});
