import { z } from 'zod';
import { TagNames } from './tags';
import { Timestamp, boundedText } from './text';

export const RUN_RATINGS = ['up', 'down'] as const;
export const RunRating = z.enum(RUN_RATINGS).meta({ description: 'Thumbs up or down' });
export type RunRating = z.infer<typeof RunRating>;

const nullableRating = RunRating.nullable().meta({ description: 'Null: it is not rated' });
const annotationText = boundedText(0, 2000).meta({
  description: 'Text of at most 2,000 characters',
  example: 'Looks right',
});
const keptByCleanup = z.boolean().meta({ description: 'The clean-up does not remove the run, however old it is' });

/** The rating, tags and note that people gave a run. */
export const AnnotationResponse = z
  .object({
    rating: nullableRating,
    tags: z.array(z.string()).meta({ description: 'Labels, in the order in which they were given' }),
    note: z.string().meta({ description: 'Text; empty: there is none' }),
    isKept: keptByCleanup,
    updatedBy: z.string().nullable().meta({ description: 'Id of the person who changed it last' }),
    updatedAt: Timestamp.nullable().meta({ description: 'Null: there is no annotation' }),
  })
  .meta({ id: 'Annotation', description: 'What people say about an execution: a rating, tags and a note' });
export type AnnotationResponse = z.infer<typeof AnnotationResponse>;

export const AnnotateRunRequest = z
  .strictObject({
    rating: nullableRating,
    tags: TagNames.meta({ description: 'At most 20 tags of 50 characters', example: ['good answer'] }),
    note: annotationText,
    isKept: keptByCleanup,
  })
  .partial();
export type AnnotateRunRequest = z.infer<typeof AnnotateRunRequest>;

export const ListRunTagsResponse = z
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
