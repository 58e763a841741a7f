import type { PresenceUpdate as PresenceMessage, SocketServerMessage, WorkflowHint } from '@/contract/channel';
import type { ChannelIdentity } from './identity';
import type { WorkflowPresence } from './presence';

export const MAX_JOINED_WORKFLOWS = 50;

interface JoinedWorkflowsOptions {
  presence: WorkflowPresence;
  identity: ChannelIdentity;
  send(message: PresenceMessage | WorkflowHint | Extract<SocketServerMessage, { type: 'error' }>): void;
  isFull(): boolean;
  /** Called for a workflow that does not exist. */
  onUnknown(): void;
}

/** The presence of one connection: it joins each workflow at most once. */
export class JoinedWorkflows {
  private readonly leaveByWorkflow = new Map<string, () => void>();

  constructor(private readonly wiring: JoinedWorkflowsOptions) {}

  join(workflowId: string): void {
    const { presence, identity, send, isFull, onUnknown } = this.wiring;
    if (this.leaveByWorkflow.has(workflowId)) return;
    if (this.leaveByWorkflow.size >= MAX_JOINED_WORKFLOWS) {
      return send({
        type: 'error',
        message: `More than ${MAX_JOINED_WORKFLOWS} workflows: unsubscribe from some first.`,
      });
    }
    let exists = false;
    const leave = presence.join({
      workflowId,
      identity: () => identity,
      isReady: () => !isFull(),
      deliver: (people) => {
        exists = true;
        send({ type: 'presence', workflowId, people });
      },
      hint: (type) => send({ type, workflowId }),
      refuse: () => {
        this.leaveByWorkflow.delete(workflowId);
        send({ type: 'error', message: 'The workflow does not exist.' });
        if (!exists) onUnknown();
      },
    });
    this.leaveByWorkflow.set(workflowId, leave);
  }

  leave(workflowId: string): void {
    this.leaveByWorkflow.get(workflowId)?.();
    this.leaveByWorkflow.delete(workflowId);
  }

  leaveAll(): void {
    for (const workflowId of this.leaveByWorkflow.keys()) this.leave(workflowId);
  }
}
