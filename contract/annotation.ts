import { z } from 'zod';
import { Tags } from './tags';
import { Timestamp, text } from './text';

export const RATINGS = ['up', 'down'] as const;
export const Rating = z.enum(RATINGS).meta({ description: 'Thumbs up or down' });
export type Rating = z.infer<typeof Rating>;

const rating = Rating.nullable().meta({ description: 'Null: it is not rated' });
const note = text(0, 2000).meta({ description: 'Text of at most 2,000 characters', example: 'Looks right' });
const isKept = z.boolean().meta({ description: 'The clean-up does not remove the run, however old it is' });

/** What people say about a run. */
export const Annotation = z
  .object({
    rating,
    tags: z.array(z.string()).meta({ description: 'Labels, in the order in which they were given' }),
    note: z.string().meta({ description: 'Text; empty: there is none' }),
    isKept,
    updatedBy: z.string().nullable().meta({ description: 'Id of the person who changed it last' }),
    updatedAt: Timestamp.nullable().meta({ description: 'Null: there is no annotation' }),
  })
  .meta({ id: 'Annotation', description: 'What people say about an execution: a rating, tags and a note' });
export type Annotation = z.infer<typeof Annotation>;

export const AnnotationChange = z
  .strictObject({
    rating,
    tags: Tags.meta({ description: 'At most 20 tags of 50 characters', example: ['good answer'] }),
    note,
    isKept,
  })
  .partial();
export type AnnotationChange = z.infer<typeof AnnotationChange>;

export const RunTagList = z
  .object({
    data: z
      .array(
        z.object({
          tag: z.string().meta({ description: 'The label' }),
          count: z.number().int().meta({ description: 'Number of runs with the tag' }),
        }),
      )
      .describe('The items'),
  })
  .meta({ id: 'RunTagList', description: 'The tags of executions' });
