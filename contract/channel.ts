import { z } from 'zod';
import { ExecutionStatus, NodeStatus } from './execution';
import { Timestamp, boundedText } from './text';

/** The only channel that a socket can subscribe to. The error tells the sender of a message that names another one. */
const ExecutionChannel = z.literal('execution', { error: 'must be "execution"' });

/** Frames a client may send over /ws. */
export const SocketClientMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auth'), token: z.string().max(4096) }),
  z.strictObject({ type: z.literal('subscribe'), channel: ExecutionChannel, executionId: boundedText(1, 100) }),
  z.strictObject({ type: z.literal('unsubscribe'), channel: ExecutionChannel, executionId: boundedText(1, 100) }),
]);
export type SocketClientMessage = z.infer<typeof SocketClientMessage>;

/** Frames the service sends. An update with `nodeId` is about that node, without it about the execution. */
export const SocketServerMessage = z.discriminatedUnion('type', [
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
export type SocketServerMessage = z.infer<typeof SocketServerMessage>;

/**
 * Presence at a workflow, over Socket.IO only, by `subscribe` and `unsubscribe`. A user is present while subscribed,
 * so a closed connection ends the presence.
 */
export const PresenceSubscription = z.strictObject({ channel: z.literal('presence'), workflowId: boundedText(1, 100) });
export type PresenceSubscription = z.infer<typeof PresenceSubscription>;

/**
 * Sent on subscribe and on every change: all users at the workflow, including the subscriber, each once, in order of
 * arrival, at most 50. An `error` is sent for a workflow that the user can't read.
 */
export const PresenceUpdate = z.object({
  type: z.literal('presence'),
  workflowId: z.string(),
  people: z.array(z.object({ userId: z.string(), name: z.string() })),
});
export type PresenceUpdate = z.infer<typeof PresenceUpdate>;

const CanvasPointer = {
  workflowId: boundedText(1, 100),
  /** Ids of the loops around the definition on the canvas; empty: the workflow itself. */
  path: z.array(boundedText(1, 100)).max(10),
  /** In coordinates of the canvas; null: the pointer is elsewhere. */
  at: z.strictObject({ x: z.number(), y: z.number() }).nullable(),
  selectedIds: z.array(boundedText(1, 100)).max(20),
};

/** Sent by those present at a workflow, over Socket.IO only, by `pointer`: where they point and what they select. */
export const PointerFrame = z.strictObject(CanvasPointer);
export type PointerFrame = z.infer<typeof PointerFrame>;

/** Sent to the others at the workflow. `connectionId` tells apart the windows of a person. */
export const PointerUpdate = z.object({
  type: z.literal('pointer'),
  connectionId: z.string(),
  userId: z.string(),
  ...CanvasPointer,
});
export type PointerUpdate = z.infer<typeof PointerUpdate>;

/**
 * Sent to those present at a workflow when one of its webhooks is called while a user listens for a test call. A hint
 * without data: `listeners.get` has the call.
 */
export const WebhookCalledHint = z.object({ type: z.literal('webhook_called'), workflowId: z.string() });

/** Sent to those present at a workflow when its pinned outputs change. A hint without data: `pins.list` has them. */
export const PinsChangedHint = z.object({ type: z.literal('pins_changed'), workflowId: z.string() });

/** Sent to those present at a workflow when a version of it is saved, published or discarded. `drafts.get` has it. */
export const WorkflowSavedHint = z.object({ type: z.literal('workflow_saved'), workflowId: z.string() });

/** A message without data to the users who have the workflow open: they fetch what has changed. */
export type WorkflowHint = z.infer<typeof WebhookCalledHint | typeof PinsChangedHint | typeof WorkflowSavedHint>;
