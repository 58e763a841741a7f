import { expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';

useDatabase();

const calling = (workflowId: string) =>
  flow({ s: { type: 'start' }, c: { type: 'sub_workflow', config: { workflowId } } }, ['s>c']);

test('the workflows that call a workflow are listed, also from inside a loop; none of other workspaces', async () => {
  const { workspaceId, token } = await buildUser();
  const stranger = await buildUser();
  const called = await buildWorkflow({ workspaceId });
  const direct = await buildWorkflow({ workspaceId, definition: calling(called), status: 'active' });
  const loop = flow(
    { s: { type: 'start' }, l: { type: 'for_each', config: { items: 'input', body: calling(called) } } },
    ['s>l'],
  );
  const looping = await buildWorkflow({ workspaceId, definition: loop });
  await buildWorkflow({ workspaceId, definition: calling(direct) });
  await buildWorkflow({ workspaceId: stranger.workspaceId, definition: calling(called) });
  const list = (as: string) =>
    call<{ data: { id: string; name: string; status: string }[] }>('GET', `/api/workflows/${called}/callers`, {
      token: as,
    });
  const { status, body } = await list(token);
  expect(status).toBe(200);
  expect(body.data.map(({ id }) => id).toSorted()).toEqual([direct, looping].toSorted());
  expect(body.data.find(({ id }) => id === direct)?.status).toBe('active');
  expect((await list(stranger.token)).status).toBe(404);
});
