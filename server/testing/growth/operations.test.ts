import { beforeAll, expect, test } from 'vitest';
import { isOpenAccess, querySchema, type OperationRecord } from '@/server/api/operation/operation';
import { operationTable } from '@/server/api/operations';
import { buildChat } from '../chats';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '../factories';
import { createFixtures } from '../fixtures';
import { buildForm } from '../forms';
import { buildHookWith } from '../hooks';
import { findAllGrowth } from './growth';
import { bodyInputs, headerInputs, queryInputs, type Target } from './operation-inputs';
import { useListener } from './requests';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

/** Longer than the sum of all waits. */
const MINUTES = 10 * 60_000;

let token: string;
let ids: Record<string, Record<string, string>>;

beforeAll(async () => {
  const user = await buildUser();
  ({ token } = user);
  const [{ form, workflowId: formWorkflow }, { chat, workflowId: chatWorkflow }, open] = await Promise.all([
    buildForm({ fields: [{ kind: 'text', name: 'a', label: 'A' }] }),
    buildChat({ takesFiles: true }),
    buildHookWith({ path: 'open', verification: { kind: 'none' } }),
  ]);
  ids = {
    ...(await createFixtures(user)),
    forms: { workflowId: formWorkflow, path: form.path },
    chat: { workflowId: chatWorkflow, path: chat.path },
    'chat-answers': { workflowId: chatWorkflow, path: chat.path },
    webhooks: { workflowId: open.workflowId, path: open.hook.path },
    calls: { token: 'nothing' },
    connectors: { id: 'hubspot' },
  };
});

/** An operation's address: below `/api` the second word tells of what. */
const addressOf = ({ path }: OperationRecord): string =>
  path.replace(/\{(\w+)(?:\.{3})?\}/g, (_, name: string) => {
    const [, first = '', second = ''] = path.split('/');
    return (first === 'api' ? ids[second] : ids[first])?.[name] ?? 'nothing';
  });

const isOpenToAll = ({ access }: OperationRecord) => isOpenAccess(access);

const targetOf = (operation: OperationRecord): Target => ({
  listener,
  address: addressOf(operation),
  headers: isOpenToAll(operation) ? {} : { authorization: `Bearer ${token}` },
});

const all = operationTable as OperationRecord[];
const named = (list: OperationRecord[]) => list.map((operation) => [operation.id, operation] as const);

test.each(named(all.filter(isOpenToAll)))('%s, which anybody may call', { timeout: MINUTES }, async (_, operation) => {
  const target = targetOf(operation);
  const inputs = [
    ...bodyInputs(operation, target, true),
    ...queryInputs(operation, target, true),
    ...headerInputs(operation, target),
  ];
  expect(await findAllGrowth(inputs)).toEqual([]);
});

/** Of operations that need an account, those that read what their caller writes. */
const reading = all.filter((one) => !isOpenToAll(one) && (one.body || querySchema(one)));

test.each(named(reading))('%s, for members', { timeout: MINUTES }, async (_, operation) => {
  const target = targetOf(operation);
  expect(
    await findAllGrowth([...bodyInputs(operation, target, false), ...queryInputs(operation, target, false)]),
  ).toEqual([]);
});
