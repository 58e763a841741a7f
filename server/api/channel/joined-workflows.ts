import type {
  PointerFrame,
  PointerUpdate,
  PresenceUpdate as PresenceMessage,
  SocketServerMessage,
  WorkflowHint,
} from '@/contract/channel';
import type { ChannelIdentity } from './identity';
import type { PresenceVisit, WorkflowPresence } from './presence';

export const MAX_JOINED_WORKFLOWS = 50;

interface JoinedWorkflowsOptions {
  presence: WorkflowPresence;
  identity: ChannelIdentity;
  send(message: PresenceMessage | PointerUpdate | WorkflowHint | Extract<SocketServerMessage, { type: 'error' }>): void;
  isFull(): boolean;
  /** Called for a workflow that does not exist. */
  onUnknown(): void;
}

/** The presence of one connection: it joins each workflow at most once. */
export class JoinedWorkflows {
  private readonly visits = new Map<string, PresenceVisit>();

  constructor(private readonly wiring: JoinedWorkflowsOptions) {}

  join(workflowId: string): void {
    const { presence, identity, send, isFull, onUnknown } = this.wiring;
    if (this.visits.has(workflowId)) return;
    if (this.visits.size >= MAX_JOINED_WORKFLOWS) {
      return send({
        type: 'error',
        message: `More than ${MAX_JOINED_WORKFLOWS} workflows: unsubscribe from some first.`,
      });
    }
    let exists = false;
    const visit = presence.join({
      workflowId,
      identity: () => identity,
      isReady: () => !isFull(),
      deliver: (people) => {
        exists = true;
        send({ type: 'presence', workflowId, people });
      },
      point: send,
      hint: (type) => send({ type, workflowId }),
      refuse: () => {
        this.visits.delete(workflowId);
        send({ type: 'error', message: 'The workflow does not exist.' });
        if (!exists) onUnknown();
      },
    });
    this.visits.set(workflowId, visit);
  }

  leave(workflowId: string): void {
    this.visits.get(workflowId)?.leave();
    this.visits.delete(workflowId);
  }

  /** Shows the others where this person points; at a workflow that is not joined, nothing. */
  point(frame: PointerFrame): void {
    this.visits.get(frame.workflowId)?.point(frame);
  }

  leaveAll(): void {
    for (const workflowId of this.visits.keys()) this.leave(workflowId);
  }
}
