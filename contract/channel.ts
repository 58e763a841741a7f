import { z } from 'zod';
import { ExecutionStatus, NodeStatus } from './execution';
import { Timestamp, text } from './text';

/** Frames a client may send over /ws. */
export const ClientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auth'), token: z.string().max(4096) }),
  z.strictObject({ type: z.literal('subscribe'), channel: z.literal('execution'), executionId: text(1, 100) }),
  z.strictObject({ type: z.literal('unsubscribe'), channel: z.literal('execution'), executionId: text(1, 100) }),
]);
export type ClientMessage = z.infer<typeof ClientMessage>;

/** Frames the service sends. With `nodeId` an update speaks of that node, without it of the execution. */
export const ServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('execution_update'),
    executionId: z.string(),
    status: z.union([ExecutionStatus, NodeStatus]),
    nodeId: z.string().optional(),
    timestamp: Timestamp,
  }),
  z.object({ type: z.literal('node_completed'), executionId: z.string(), nodeId: z.string(), output: z.unknown() }),
  z.object({
    type: z.literal('execution_completed'),
    executionId: z.string(),
    status: ExecutionStatus,
    output: z.unknown(),
  }),
  z.object({ type: z.literal('error'), message: z.string(), executionId: z.string().optional() }),
]);
export type ServerMessage = z.infer<typeof ServerMessage>;
