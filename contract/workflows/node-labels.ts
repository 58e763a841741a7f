import { z } from 'zod';
import { boundedText } from '../text';

/** The labels of a node take at most this many bytes as JSON. */
const MAX_NODE_LABELS_BYTES = 4096;

export const NodeLabels = z
  .record(boundedText(1, 300), boundedText(0, 200))
  .refine((labels) => new TextEncoder().encode(JSON.stringify(labels)).length <= MAX_NODE_LABELS_BYTES, {
    error: `must have at most ${MAX_NODE_LABELS_BYTES} bytes as JSON`,
  })
  .meta({
    description:
      'What picked values were called, by their paths in `config`, such as `tableId`. At most 4 KiB. Shown to people; without effect on runs',
    example: { tableId: 'Customers' },
  });
