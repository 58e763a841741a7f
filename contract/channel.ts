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

/**
 * Over Socket.IO alone, as `subscribe` and `unsubscribe`: to be seen at a workflow, and to see who else is there. Being
 * subscribed is being there, so the end of the connection ends it.
 */
export const Visit = z.strictObject({ channel: z.literal('presence'), workflowId: text(1, 100) });
export type Visit = z.infer<typeof Visit>;

/**
 * The answer, and again whenever somebody comes or goes: everybody at the workflow, whoever asked included, each person
 * once, first who came first, at most 50. A workflow that isn't there for this person is answered by an `error`.
 */
export const Presence = z.object({
  type: z.literal('presence'),
  workflowId: z.string(),
  people: z.array(z.object({ userId: z.string(), name: z.string() })),
});
export type Presence = z.infer<typeof Presence>;
