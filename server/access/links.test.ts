import { expect, test } from 'vitest';
import { invite } from '@/server/accounts/invitations';
import { mailVerification } from '@/server/accounts/email-verification';
import { prisma } from '@/server/db/client';
import { callUrl } from '@/server/engine/attempt/call-link';
import { decisionLink } from '@/server/engine/attempt/decision-link';
import { LargeJson } from '@/server/expressions/large-json';
import { newId } from '@/server/db/ids';
import { runtime } from '@/server/runtime';
import { useDatabase } from '@/server/testing/database';
import { buildUser } from '@/server/testing/factories';
import { HIDDEN_LINK, hideLinks, hideLinksIn } from './links';

useDatabase();

const executionId = newId('exec');
const decision = () => decisionLink({ executionId, nodeId: 'a[3].ask', email: 'ada@example.com' }, null);
const call = () => callUrl({ executionId, nodeId: 'w' });

test('the token of every link that the service makes is hidden, with its address and without', async () => {
  const user = await buildUser();
  const caller = { ...user, userId: user.id, name: 'Ada', tier: 'free', roles: ['owner'], permissions: [] } as never;
  const { inviteUrl } = await invite(prisma(), {
    workspaceId: user.workspaceId,
    email: 'new@example.com',
    roleId: 'role_viewer',
    by: caller,
  });
  const { workspaceId } = user;
  await mailVerification({ userId: user.id, email: user.email }, { workspaceId, ipAddress: '192.0.2.7' });
  const { text } = await prisma().outboxMail.findFirstOrThrow({ where: { workspaceId } });
  const [confirmation = ''] = /http\S+token=\S+/.exec(text ?? '') ?? [];
  const base = runtime().env.apiBaseUrl;
  expect([decision(), call(), inviteUrl, confirmation].map(hideLinksIn)).toEqual([
    `${base}/decide#${HIDDEN_LINK}`,
    `${base}/calls/${HIDDEN_LINK}`,
    `${base}/invitation?token=${HIDDEN_LINK}`,
    `${base}/verify-email?token=${HIDDEN_LINK}`,
  ]);
  for (const link of [decision(), call(), inviteUrl]) {
    const token = link.split(/[#=]|calls\//).at(-1) ?? '';
    for (const form of [token, encodeURIComponent(link), `<a href="${link}">`, JSON.stringify({ link })]) {
      const shown = hideLinksIn(`before ${form} after ${form}.`);
      expect(shown).not.toContain(token);
      expect(shown).toMatch(/^before .* after .*\.$/);
    }
  }
});

test('values are searched wherever they have texts, and stay as they are without links', () => {
  const at = new Date();
  const value = { a: [call(), { [call()]: 1 }], b: null, c: 'ZXhlY18 and exec_1.2', at, n: 1 };
  const shown = hideLinks({ ...value, large: new LargeJson(JSON.stringify([call()])) });
  expect(JSON.stringify(shown)).not.toContain(call().slice(-43));
  expect(shown).toMatchObject({ b: null, c: 'ZXhlY18 and exec_1.2', at, n: 1 });
  expect(hideLinks('ZXhlY18x.y')).toBe('ZXhlY18x.y');
});

test('a text that only begins like a token, many times over, is returned as it is', () => {
  for (const begin of ['ZXhlY18', 'eyJleGVjdXRpb25JZCI6ImV4ZWNf'])
    for (const end of ['', '.', '.a ']) {
      const text = (begin + end).repeat(50_000);
      expect(hideLinksIn(text) === text, begin + end).toBe(true);
    }
});
