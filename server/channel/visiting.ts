import type { Presence as Told, ServerMessage } from '@/contract/channel';
import type { Identity } from './identity';
import type { Presence } from './presence';

const MAX_VISITS = 50;

interface Wiring {
  presence: Presence;
  identity: Identity;
  send(message: Told | Extract<ServerMessage, { type: 'error' }>): void;
  isFull(): boolean;
}

/** The visits of one connection, at most one at each workflow. */
export class Visits {
  private readonly underWay = new Map<string, () => void>();

  constructor(private readonly wiring: Wiring) {}

  begin(workflowId: string): void {
    const { presence, identity, send, isFull } = this.wiring;
    if (this.underWay.has(workflowId)) return;
    if (this.underWay.size >= MAX_VISITS) {
      return send({ type: 'error', message: `More than ${MAX_VISITS} workflows: unsubscribe from some first.` });
    }
    const leave = presence.enter({
      workflowId,
      identity: () => identity,
      isReady: () => !isFull(),
      tell: (people) => send({ type: 'presence', workflowId, people }),
      refuse: () => {
        this.underWay.delete(workflowId);
        send({ type: 'error', message: 'The workflow does not exist.' });
      },
    });
    this.underWay.set(workflowId, leave);
  }

  end(workflowId: string): void {
    this.underWay.get(workflowId)?.();
    this.underWay.delete(workflowId);
  }

  endAll(): void {
    for (const workflowId of this.underWay.keys()) this.end(workflowId);
  }
}
