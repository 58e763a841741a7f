import { describe, expect, test } from 'vitest';
import { WorkflowDefinition } from '@/contract/workflows/workflow';
import { prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { systemRoleId } from '@/server/platform/db/system-role-id';
import { buildWelcomeDefinition } from './welcome';
import { createWorkspace, workspaceSlug } from './workspaces';

useDatabase();

const newUser = async () => {
  const id = generateId('usr');
  await prismaClient().user.create({ data: { id, email: `${id.toLowerCase()}@example.com`, name: 'Ada' } });
  return id;
};
const create = (name: string, ownerId: string) =>
  prismaClient().$transaction((db) => createWorkspace(db, { name, ownerId }));

test.each([
  ['Acme Corp.', 'acme-corp'],
  ['  Überfluß & Söhne  ', 'uberflu-sohne'],
  ['株式会社', 'workspace'],
  ['---', 'workspace'],
  ['a'.repeat(200), 'a'.repeat(48)],
])('the slug of %s is %s', (name, slug) => {
  expect(workspaceSlug(name)).toBe(slug);
});

test('a new workspace has its owner, its tier and an example workflow', async () => {
  const ownerId = await newUser();
  const { id, slug } = await create('Acme Corp.', ownerId);
  const workspace = await prismaClient().workspace.findUniqueOrThrow({
    where: { id },
    include: { members: true, roles: true, workflows: { include: { versions: true } } },
  });
  expect(workspace).toMatchObject({ name: 'Acme Corp.', slug, tier: 'enterprise', settings: { mfaPolicy: 'off' } });
  expect(workspace.members).toMatchObject([{ userId: ownerId }]);
  expect(workspace.roles).toMatchObject([{ userId: ownerId, roleId: systemRoleId('owner'), resourceType: null }]);
  const [workflow] = workspace.workflows;
  expect(workflow).toMatchObject({ name: 'Welcome', status: 'draft', version: 1, createdBy: ownerId });
  expect(workflow?.versions).toMatchObject([{ version: 1, definition: workflow?.definition }]);
});

test('workspaces with the same name, created together, get different slugs', async () => {
  const ownerId = await newUser();
  const made = await Promise.all(Array.from({ length: 8 }, () => create('Twins', ownerId)));
  const slugs = made.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(8);
  expect(slugs).toContain('twins');
  expect(slugs).toContain('twins-2');
});

describe('the Welcome workflow', () => {
  const definition = (changes = {}) => buildWelcomeDefinition({ ...getRuntime().env, ...changes }, 'ada@example.com');

  test('has a complete definition, with a name, a note and a separate position for each node', () => {
    const { nodes } = WorkflowDefinition.parse(definition());
    for (const node of nodes) expect(node).toMatchObject({ name: expect.any(String), notes: expect.any(String) });
    expect(new Set(nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size).toBe(nodes.length);
  });

  test('sends no mail if the service cannot send mail', () => {
    const mails = (changes = {}) => definition(changes).nodes.filter(({ type }) => type === 'send_email');
    expect(mails().map(({ disabled }) => disabled)).toEqual([undefined, undefined]);
    expect(mails({ deploymentEnv: 'selfhosted' }).map(({ disabled }) => disabled)).toEqual([true, true]);
    expect(mails({ deploymentEnv: 'selfhosted', smtpUrl: 'smtp://x' }).map(({ disabled }) => disabled)).toEqual([
      undefined,
      undefined,
    ]);
  });
});
