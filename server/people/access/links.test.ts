import { expect, test } from 'vitest';
import { createInvitation } from '@/server/people/accounts/invitations';
import { mailVerificationLink } from '@/server/people/accounts/email-verification';
import { prismaClient } from '@/server/platform/db/client';
import { buildCallUrl } from '@/server/engine/attempt/call-link';
import { buildFormRunUrl } from '@/server/engine/attempt/form-run-link';
import { buildDecisionLink } from '@/server/engine/attempt/decision-link';
import { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { generateId } from '@/server/platform/db/ids';
import { getRuntime } from '@/server/platform/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '@/server/testing/factories';
import { HIDDEN_LINK_TOKEN, hideLinksInValue, hideLinksInText } from './links';

useDatabase();

const executionId = generateId('exec');
const decision = () => buildDecisionLink({ executionId, nodeId: 'a[3].ask', email: 'ada@example.com' }, null);
const call = () => buildCallUrl({ executionId, nodeId: 'w' });
const page = () => buildFormRunUrl({ executionId, nodeId: 'p' });

test('the token of every link that the service makes is hidden, with its address and without', async () => {
  const user = await buildUser();
  const caller = { ...user, userId: user.id, name: 'Ada', tier: 'free', roles: ['owner'], permissions: [] } as never;
  const { inviteUrl } = await createInvitation(prismaClient(), {
    workspaceId: user.workspaceId,
    email: 'new@example.com',
    roleId: 'role_viewer',
    by: caller,
  });
  const { workspaceId } = user;
  await mailVerificationLink({ userId: user.id, email: user.email }, { workspaceId, ipAddress: '192.0.2.7' });
  const { text } = await prismaClient().outboxMail.findFirstOrThrow({ where: { workspaceId } });
  const [confirmation = ''] = /http\S+token=\S+/.exec(text ?? '') ?? [];
  const base = getRuntime().env.apiBaseUrl;
  expect([decision(), call(), page(), inviteUrl, confirmation].map(hideLinksInText)).toEqual([
    `${base}/decide#${HIDDEN_LINK_TOKEN}`,
    `${base}/calls/${HIDDEN_LINK_TOKEN}`,
    `${base}/forms/runs/${HIDDEN_LINK_TOKEN}`,
    `${base}/invitation?token=${HIDDEN_LINK_TOKEN}`,
    `${base}/verify-email?token=${HIDDEN_LINK_TOKEN}`,
  ]);
  for (const link of [decision(), call(), page(), inviteUrl]) {
    const token = link.split(/[#=]|calls\/|runs\//).at(-1) ?? '';
    for (const form of [token, encodeURIComponent(link), `<a href="${link}">`, JSON.stringify({ link })]) {
      const shown = hideLinksInText(`before ${form} after ${form}.`);
      expect(shown).not.toContain(token);
      expect(shown).toMatch(/^before .* after .*\.$/);
    }
  }
});

test('values are searched wherever they have texts, and stay as they are without links', () => {
  const at = new Date();
  const value = { a: [call(), { [call()]: 1 }], b: null, c: 'ZXhlY18 and exec_1.2', at, n: 1 };
  const shown = hideLinksInValue({ ...value, large: new LargeJsonText(JSON.stringify([call()])) });
  expect(JSON.stringify(shown)).not.toContain(call().slice(-43));
  expect(shown).toMatchObject({ b: null, c: 'ZXhlY18 and exec_1.2', at, n: 1 });
  expect(hideLinksInValue('ZXhlY18x.y')).toBe('ZXhlY18x.y');
});

test('a text that only begins like a token, many times over, is returned as it is', () => {
  for (const begin of ['ZXhlY18', 'eyJleGVjdXRpb25JZCI6ImV4ZWNf'])
    for (const end of ['', '.', '.a ']) {
      const text = (begin + end).repeat(50_000);
      expect(hideLinksInText(text) === text, begin + end).toBe(true);
    }
});
