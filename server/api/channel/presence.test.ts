import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PointerUpdate, PresenceUpdate, WebhookCalledHint, type SocketServerMessage } from '@/contract/channel';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { buildUser, buildWorkflow, type TestUser } from '@/server/testing/factories';
import { notifyPinsChanged, notifyWorkflowSaved } from '@/server/workflow/definition/stored-parts';
import { useDatabase } from '@/server/testing/database';
import { until } from '@/server/testing/runs';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { DEADLINE, startChannel } from './testing/rig';

useDatabase();

// Two processes of a fleet: they share only the database and its notifications.
let channels: { port: number; stop(): Promise<void> }[];
let ann: TestUser;
let ben: TestUser;
let outsider: TestUser;
let workflowId: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  channels = [await startChannel(), await startChannel()];
  ann = await buildUser();
  ben = await buildUser({ workspaceId: ann.workspaceId, role: 'viewer' });
  outsider = await buildUser();
  workflowId = await buildWorkflow({ workspaceId: ann.workspaceId });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  await until(async () => (await prismaClient().presence.count()) === 0, 'all visits to end');
});
afterAll(() => Promise.all(channels.map((channel) => channel.stop())));

/** A connection that opens a workflow, and the lists that it receives: ids of the people present. */
function visit({ token }: TestUser, process = 0, id = workflowId) {
  const socket = io(`http://127.0.0.1:${channels[process]?.port}`, {
    auth: { token },
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
  });
  sockets.push(socket);
  const heard: string[][] = [];
  const refusals: string[] = [];
  socket.on('presence', (message) => {
    const { people, workflowId: at } = PresenceUpdate.parse({ ...message, type: 'presence' });
    expect(at).toBe(id);
    heard.push(people.map(({ userId }) => userId));
  });
  const calls: string[] = [];
  socket.on('webhook_called', (message) => calls.push(WebhookCalledHint.parse(message).workflowId));
  socket.on('error', ({ message }: Extract<SocketServerMessage, { type: 'error' }>) => refusals.push(message));
  const subscribe = (workflow: string) => socket.emit('subscribe', { channel: 'presence', workflowId: workflow });
  const unsubscribe = (workflow: string) => socket.emit('unsubscribe', { channel: 'presence', workflowId: workflow });
  subscribe(id);
  const sees = (...people: TestUser[]) =>
    expect.poll(() => heard.at(-1), DEADLINE).toEqual(people.map((person) => person.id));
  const pointers: PointerUpdate[] = [];
  socket.on('pointer', (message) => pointers.push(PointerUpdate.parse(message)));
  const stored: string[] = [];
  for (const hint of ['pins_changed', 'workflow_saved'])
    socket.on(hint, ({ workflowId: at }: { workflowId: string }) => stored.push(`${hint} ${at}`));
  return { socket, pointers, heard, calls, stored, refusals, sees, subscribe, unsubscribe };
}

test('people at one workflow see each other, in all processes', async () => {
  const a = visit(ann, 0);
  await a.sees(ann);
  const b = visit(ben, 1);
  await a.sees(ann, ben);
  await b.sees(ann, ben);
  b.unsubscribe(workflowId);
  await a.sees(ann);
  b.subscribe(workflowId);
  await a.sees(ann, ben);
  b.socket.disconnect();
  await a.sees(ann);
});

test('a person with several tabs is listed once, until the last tab is closed', async () => {
  const a = visit(ann);
  await a.sees(ann);
  const [first, second] = [visit(ben, 0), visit(ben, 1)];
  await a.sees(ann, ben);
  await Promise.all([first.sees(ann, ben), second.sees(ann, ben)]);
  first.socket.disconnect();
  await expect.poll(() => prismaClient().presence.count({ where: { userId: ben.id } }), DEADLINE).toBe(1);
  expect(a.heard.at(-1)).toEqual([ann.id, ben.id]);
  second.socket.disconnect();
  await a.sees(ann);
});

test('a subscription to an unknown workflow is refused and not visible to other users', async () => {
  const a = visit(ann);
  await a.sees(ann);
  const [foreign, made] = [visit(outsider), visit(outsider, 1, 'wf_made_up')];
  for (const each of [foreign, made]) {
    await expect.poll(() => each.refusals, DEADLINE).toEqual(['The workflow does not exist.']);
    expect(each.heard).toEqual([]);
  }
  expect(await prismaClient().presence.count({ where: { userId: outsider.id } })).toBe(0);
  const b = visit(ben);
  await b.sees(ann, ben);
  expect(a.heard.flat()).not.toContain(outsider.id);
});

test('a person who loses the permission is removed at the next change', async () => {
  const guest = await buildUser({ workspaceId: ann.workspaceId, role: 'viewer' });
  const [a, g] = [visit(ann), visit(guest, 1)];
  await expect.poll(() => a.heard.at(-1)?.length, DEADLINE).toBe(2);
  await prismaClient().roleAssignment.deleteMany({ where: { userId: guest.id } });
  visit(ben, 1);
  await expect.poll(() => g.refusals, DEADLINE).toEqual(['The workflow does not exist.']);
  await a.sees(ann, ben);
});

test('rows of a dead process expire, and the workflow’s deletion ends them all', async () => {
  const id = await buildWorkflow({ workspaceId: ann.workspaceId });
  await databasePool().query(
    `INSERT INTO presence (id, workflow_id, user_id, until) VALUES ('vis_dead', $1, $2, now() - interval '1 second')`,
    [id, ben.id],
  );
  const a = visit(ann, 0, id);
  await a.sees(ann);
  await prismaClient().workflow.delete({ where: { id } });
  expect(await prismaClient().presence.count({ where: { workflowId: id } })).toBe(0);
});

test('a connection has a limit of open workflows', async () => {
  const { refusals, subscribe } = visit(ann);
  for (let n = 0; n < 50; n += 1) subscribe(`wf_${n}`);
  await expect.poll(() => refusals, DEADLINE).toContain('More than 50 workflows: unsubscribe from some first.');
});

test('people at a workflow hear of calls of its webhooks, of pins and of saves, in all processes; others do not', async () => {
  const theirs = await buildWorkflow({ workspaceId: outsider.workspaceId });
  const [a, stranger] = [visit(ann, 0), visit(outsider, 0, theirs)];
  await a.sees(ann);
  const [b, intruder] = [visit(ben, 1), visit(outsider, 1)];
  await a.sees(ann, ben);
  await b.sees(ann, ben);
  await expect.poll(() => intruder.refusals, DEADLINE).toHaveLength(1);
  await stranger.sees(outsider);
  currentDispatcher().webhookCalled([workflowId]);
  currentDispatcher().webhookCalled([theirs]);
  await expect.poll(() => a.calls, DEADLINE).toEqual([workflowId]);
  await expect.poll(() => b.calls, DEADLINE).toEqual([workflowId]);
  await expect.poll(() => stranger.calls, DEADLINE).toEqual([theirs]);
  await notifyPinsChanged(prismaClient(), workflowId);
  await notifyWorkflowSaved(prismaClient(), workflowId);
  const stored = [`pins_changed ${workflowId}`, `workflow_saved ${workflowId}`];
  await expect.poll(() => [a.stored, b.stored], DEADLINE).toEqual([stored, stored]);
  expect([...intruder.calls, ...intruder.stored, ...stranger.stored]).toEqual([]);
});

test('people see where the others point, in all processes; strangers and the person do not', async () => {
  const [a, outside] = [visit(ann, 0), visit(outsider, 0, await buildWorkflow({ workspaceId: outsider.workspaceId }))];
  await a.sees(ann);
  const point = (from: typeof a, x: number, workflow = workflowId) =>
    from.socket.emit('pointer', { workflowId: workflow, path: [], at: { x, y: 1 }, selectedIds: ['n1'] });
  // Alone at the workflow: nobody is told.
  point(a, 1);
  const [b, second] = [visit(ben, 1), visit(ann, 1)];
  await Promise.all([a, b, second].map((one) => one.sees(ann, ben)));
  // A stranger points at a workflow that is not theirs, and a member sends what is no pointer.
  point(outside, 2);
  a.socket.emit('pointer', { workflowId, path: [], at: { x: 'far', y: 1 }, selectedIds: [] });
  await expect
    .poll(() => {
      point(a, 3);
      return b.pointers.length;
    }, DEADLINE)
    .toBeGreaterThan(0);
  expect(b.pointers).toContainEqual(
    expect.objectContaining({ userId: ann.id, workflowId, at: { x: 3, y: 1 }, selectedIds: ['n1'] }),
  );
  await expect.poll(() => second.pointers.length, DEADLINE).toBeGreaterThan(0);
  expect([...b.pointers, ...second.pointers].filter(({ at }) => at !== null && at.x !== 3)).toEqual([]);
  a.socket.disconnect();
  await expect.poll(() => b.pointers.at(-1), DEADLINE).toMatchObject({ at: null, selectedIds: [] });
  expect([...a.pointers, ...outside.pointers].filter(({ at }) => at !== null)).toEqual([]);
});
