import { z } from 'zod';
import { UpdatedAt } from '../shared-fields';
import { isStorableJson } from '../text';

/** Characters of the JSON of one pinned output, and of all of one workflow. */
export const MAX_PIN = 1024 * 1024;
export const MAX_PINS_TOTAL = 2 * 1024 * 1024;
/** Pinned nodes of one workflow. */
export const MAX_PINS = 100;

/** The output of a node that runs from the editor take in place of running it. */
export const Pin = z
  .object({
    nodeId: z.string().meta({ description: 'The id of the node; inside of loops its path, as `loop[].inner`' }),
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
export type Pin = z.infer<typeof Pin>;

export const PinList = z
  .object({ data: z.array(Pin).describe('The items') })
  .meta({ id: 'PinList', description: 'The pinned outputs of a workflow' });

export const PinRequest = z.strictObject({
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
