import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Presence, type ServerMessage } from '@/contract/channel';
import { pool, prisma } from '../db/client';
import { buildUser, buildWorkflow, type TestUser } from '../testing/factories';
import { useDatabase } from '../testing/database';
import { until } from '../testing/runs';
import { DEADLINE, startChannel } from './testing/rig';

useDatabase();

// Two processes of a fleet, as it were: they know of each other only what the database and its notifications tell.
let channels: { port: number; stop(): Promise<void> }[];
let ann: TestUser;
let ben: TestUser;
let stranger: TestUser;
let workflowId: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  channels = [await startChannel(), await startChannel()];
  ann = await buildUser();
  ben = await buildUser({ workspaceId: ann.workspaceId, role: 'viewer' });
  stranger = await buildUser();
  workflowId = await buildWorkflow({ workspaceId: ann.workspaceId });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  await until(async () => (await prisma().visit.count()) === 0, 'all visits to end');
});
afterAll(() => Promise.all(channels.map((channel) => channel.stop())));

/** Somebody who opens a workflow, and what they are told: the ids of those who are there. */
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
    const { people, workflowId: at } = Presence.parse({ ...message, type: 'presence' });
    expect(at).toBe(id);
    heard.push(people.map(({ userId }) => userId));
  });
  socket.on('error', ({ message }: Extract<ServerMessage, { type: 'error' }>) => refusals.push(message));
  const subscribe = (workflow: string) => socket.emit('subscribe', { channel: 'presence', workflowId: workflow });
  const unsubscribe = (workflow: string) => socket.emit('unsubscribe', { channel: 'presence', workflowId: workflow });
  subscribe(id);
  const sees = (...people: TestUser[]) =>
    expect.poll(() => heard.at(-1), DEADLINE).toEqual(people.map((person) => person.id));
  return { socket, heard, refusals, sees, subscribe, unsubscribe };
}

test('people at one workflow see each other, in whichever process they are', async () => {
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

test('a person is there once, until the last tab is closed', async () => {
  const a = visit(ann);
  await a.sees(ann);
  const [first, second] = [visit(ben, 0), visit(ben, 1)];
  await a.sees(ann, ben);
  await Promise.all([first.sees(ann, ben), second.sees(ann, ben)]);
  first.socket.disconnect();
  await expect.poll(() => prisma().visit.count({ where: { userId: ben.id } }), DEADLINE).toBe(1);
  expect(a.heard.at(-1)).toEqual([ann.id, ben.id]);
  second.socket.disconnect();
  await a.sees(ann);
});

test('a stranger is told what there is to tell of a workflow that does not exist, and is seen by nobody', async () => {
  const a = visit(ann);
  await a.sees(ann);
  const [foreign, made] = [visit(stranger), visit(stranger, 1, 'wf_made_up')];
  for (const each of [foreign, made]) {
    await expect.poll(() => each.refusals, DEADLINE).toEqual(['The workflow does not exist.']);
    expect(each.heard).toEqual([]);
  }
  expect(await prisma().visit.count({ where: { userId: stranger.id } })).toBe(0);
  const b = visit(ben);
  await b.sees(ann, ben);
  expect(a.heard.flat()).not.toContain(stranger.id);
});

test('who loses the right to a workflow is sent away with the next who comes', async () => {
  const guest = await buildUser({ workspaceId: ann.workspaceId, role: 'viewer' });
  const [a, g] = [visit(ann), visit(guest, 1)];
  await expect.poll(() => a.heard.at(-1)?.length, DEADLINE).toBe(2);
  await prisma().roleAssignment.deleteMany({ where: { userId: guest.id } });
  visit(ben, 1);
  await expect.poll(() => g.refusals, DEADLINE).toEqual(['The workflow does not exist.']);
  await a.sees(ann, ben);
});

test('visits of a process that died are no longer told, and the workflow’s end ends them all', async () => {
  const id = await buildWorkflow({ workspaceId: ann.workspaceId });
  await pool().query(
    `INSERT INTO visit (id, workflow_id, user_id, until) VALUES ('vis_dead', $1, $2, now() - interval '1 second')`,
    [id, ben.id],
  );
  const a = visit(ann, 0, id);
  await a.sees(ann);
  await prisma().workflow.delete({ where: { id } });
  expect(await prisma().visit.count({ where: { workflowId: id } })).toBe(0);
});

test('a connection is at a bounded number of workflows', async () => {
  const { refusals, subscribe } = visit(ann);
  for (let n = 0; n < 50; n += 1) subscribe(`wf_${n}`);
  await expect.poll(() => refusals, DEADLINE).toContain('More than 50 workflows: unsubscribe from some first.');
});
