import { z } from 'zod';
import { UpdatedAt } from '../shared-fields';
import { isStorableJson } from '../text';

/** The JSON of one pinned output, and that of all pinned outputs of a workflow, have at most so many characters. */
export const MAX_PINNED_CHARACTERS = 1024 * 1024;
export const MAX_PINNED_TOTAL_CHARACTERS = 2 * 1024 * 1024;
/** A workflow has at most this many pinned nodes. */
export const MAX_PINNED_NODES = 100;

/** A pinned output: runs from the editor use it and do not run the node. */
export const PinnedOutput = z
  .object({
    nodeId: z.string().meta({
      description:
        'The id of the node; inside of loops its path, as `loop[].inner`; with `each` also `node[]`, the output of every item, and `node[3]`, that of one',
    }),
    output: z.unknown().describe('Taken in place of running the node'),
    version: z.number().int().meta({ description: 'Counts the changes of this pin' }),
    updatedBy: z.string().nullable().meta({ description: 'Id of the person who pinned or changed it' }),
    updatedAt: UpdatedAt,
  })
  .meta({
    id: 'Pin',
    description:
      'An output of a node that is stored with the workflow. Runs from the editor take it in place of running the node.',
  });
export type PinnedOutput = z.infer<typeof PinnedOutput>;

export const ListPinsResponse = z
  .object({ data: z.array(PinnedOutput).describe('The items') })
  .meta({ id: 'PinList', description: 'The pinned outputs of a workflow' });

export const PinOutputRequest = z.strictObject({
  output: z
    .unknown()
    .refine((output) => output !== undefined, { error: 'is required' })
    .refine(isStorableJson, { error: 'must not contain NUL or lone surrogates' })
    .meta({ description: 'Any JSON value of at most 1 MiB', example: { id: 7 } }),
  version: z.number().int().min(0).max(2_147_483_647).optional().meta({
    description:
      'The version of the pin that this replaces; 0: the node was not pinned. Absent: any version is replaced',
    example: 0,
  }),
});
