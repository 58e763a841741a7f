import type { PollTrigger } from '@/contract/triggers/poll';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { buildUser, buildWorkflow, call, ONE_START, type Refused, type TestUser } from './factories';

export type PollBody = PollTrigger & Refused;

export interface PolledWorkflow {
  user: TestUser;
  workflowId: string;
  /** Calls `/polls<tail>` of the workflow. */
  send(method: string, tail?: string, body?: object): ReturnType<typeof call<PollBody>>;
  /** Creates a poll of this source with these settings. */
  poll(url: string, settings?: object): Promise<PollTrigger>;
  read(pollId: string): Promise<PollTrigger>;
  /** Makes all its polls due. */
  makeDue(): Promise<void>;
  /** The ids of the items that started runs, in ascending order; of batches their lists. */
  started(): Promise<unknown[]>;
}

export const itemsPoll = (url: string) => ({
  name: 'New items',
  intervalMs: 60_000,
  node: { type: 'http_request', config: { url } },
  items: 'input.body.items',
  key: 'item.id',
  first: 'deliver',
});

/** An active workflow, and what a test does with its polls. */
export async function polledWorkflow(
  definition: WorkflowDefinition = ONE_START,
  by?: TestUser,
): Promise<PolledWorkflow> {
  const user = by ?? (await buildUser());
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status: 'active', definition });
  const send: PolledWorkflow['send'] = (method, tail = '', body) =>
    call<PollBody>(method, `/api/workflows/${workflowId}/polls${tail}`, { token: user.token, body });
  return {
    user,
    workflowId,
    send,
    async poll(url, settings = {}) {
      const { status, body } = await send('POST', '', { ...itemsPoll(url), ...settings });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body;
    },
    read: async (pollId) => (await send('GET', `/${pollId}`)).body,
    async makeDue() {
      await prismaClient().poll.updateMany({ where: { workflowId }, data: { nextPollAt: new Date(0) } });
    },
    async started() {
      const runs = await prismaClient().execution.findMany({ where: { workflowId }, select: { input: true } });
      const ids = runs.map(({ input }) => {
        const { id, items } = input as { id?: number; items?: { id: number }[] };
        return id ?? items?.map((item) => item.id) ?? input;
      });
      return ids.toSorted((one, other) => Number(one) - Number(other));
    },
  };
}
