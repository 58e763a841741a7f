import { beforeAll, expect, test } from 'vitest';
import { WEBHOOK_PROVIDERS } from '@/contract/triggers/webhook-constants';
import type { WebhookVerification } from '@/contract/triggers/webhook-verification';
import { createVerifierWithSecrets } from '@/server/triggers/webhooks/verification';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, unique } from '../factories';
import { sendersHook, type TestHook } from '../hooks';
import { findAllGrowth } from './growth';
import { inputOf, type Make, type Target } from './operation-inputs';
import { useListener } from './requests';
import { FORMS, JSONS, listed, MAX_HEAD, repeated, type Family } from './texts';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase({ rateLimitTier: 'unlimited', trustProxy: 1 });
const listener = useListener();

const MINUTES = 10 * 60_000;

let owner: Omit<TestHook, 'hook'>;
beforeAll(async () => {
  const user = await buildUser();
  owner = { user, workflowId: await buildWorkflow({ workspaceId: user.workspaceId, status: 'active' }) };
});

/** A secret of any provider that prescribes no form of it. */
const SECRETS: Partial<Record<(typeof WEBHOOK_PROVIDERS)[number], string>> = {
  discord: 'ab'.repeat(32),
  standard_webhooks: `whsec_${Buffer.from('a secret of the growth test').toString('base64')}`,
  svix: `whsec_${Buffer.from('a secret of the growth test').toString('base64')}`,
};

const VERIFICATIONS: WebhookVerification[] = [
  ...WEBHOOK_PROVIDERS.map((provider) => ({
    kind: 'provider' as const,
    provider,
    secret: SECRETS[provider] ?? 'a_secret_of_the_growth_test',
    ...(provider === 'meta' ? { verifyToken: 'a token' } : {}),
  })),
  {
    kind: 'signature',
    header: 'x-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    secret: 'a long secret',
  },
  { kind: 'basic', username: 'a', password: 'b' },
  { kind: 'header', name: 'x-key', value: 'a' },
  { kind: 'jwt', algorithms: ['HS256'], key: 'a secret of 256 bits for signatures' },
  { kind: 'api_key' },
];

/** Values with the grammar of one provider or another, each with a time that is accepted. */
const signatures = (): Record<string, Family> => {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    'many signatures': (size) => `t=${seconds},${listed(size, 'v1=aa', ',')}`,
    'many signatures with spaces': (size) => listed(size, 'v1,aa', ' '),
    'many times': (size) => listed(size, `t=${seconds}`, ','),
    'parts with semicolons': (size) => `ts=${seconds};${listed(size, 'h1=aa', ';')}`,
    'a run of digits': (size) => repeated(size, 'a'),
    'a run of signs': (size) => repeated(size, '=,'),
    'a token': (size) => `Bearer ${repeated(size / 2, 'a.')}`,
    'a password': (size) => `Basic ${repeated(size, 'a')}`,
  };
};

/** Headers as a sender would set them, so that the body is looked at. */
function plausible(reads: readonly string[]): Record<string, string> {
  const seconds = String(Math.floor(Date.now() / 1000));
  return Object.fromEntries(
    reads.map((name) => [name, name.includes('time') ? seconds : `t=${seconds},v1=${'a'.repeat(64)}`]),
  );
}

/** Bodies that a verification may look into before it knows the sender. */
const BODIES: [string, string, Family][] = [
  ['json', 'application/json', JSONS['many fields']!],
  ['form', 'application/x-www-form-urlencoded', FORMS['many names']!],
];

const nameOf = (verification: WebhookVerification) =>
  verification.kind === 'provider' ? verification.provider : verification.kind;

test.each(VERIFICATIONS.map((one) => [nameOf(one), one] as const))(
  'a sender whom the webhook does not know, verified by %s',
  { timeout: MINUTES },
  async (_, verification) => {
    const { workspaceId } = owner.user;
    const hook = await sendersHook(owner, { path: unique('hook'), verification });
    const { reads } = createVerifierWithSecrets(workspaceId, verification, { ...verification } as Record<
      string,
      string
    >);
    const target: Target = { listener, address: new URL(hook.url).pathname, headers: {} };
    const inputs: [string, number, Make][] = [
      ...reads.flatMap((header) =>
        Object.entries(signatures()).map(([name, make]): [string, number, Make] => [
          `${name} in ${header}`,
          MAX_HEAD - 1024,
          (size) => ({ headers: { ...plausible(reads), [header]: make(size) }, body: '{}' }),
        ]),
      ),
      ...BODIES.map(([name, type, make]): [string, number, Make] => [
        name,
        BYTES_PER_MIB,
        (size) => ({ headers: { ...plausible(reads), 'content-type': type }, body: make(size) }),
      ]),
    ];
    expect(await findAllGrowth(inputs.map((input) => inputOf(target, 'POST', input)))).toEqual([]);
  },
);

test('large bodies that everybody may send', { timeout: MINUTES }, async () => {
  const hook = await sendersHook(owner, { path: unique('open'), verification: { kind: 'none' } });
  const target: Target = { listener, address: new URL(hook.url).pathname, headers: {} };
  const bodies: [string, string, Family][] = [
    ...BODIES,
    ['small numbers', 'application/json', JSONS['small numbers']!],
    ['text', 'text/plain', (size) => 'a'.repeat(size)],
    ['quotes', 'application/xml', (size) => '"'.repeat(size)],
    ['letters', 'text/plain', (size) => 'é'.repeat(size / 2)],
    ['many lines', 'text/plain', (size) => '\n'.repeat(size)],
  ];
  const encoded: [string, string, (size: number) => Buffer][] = [
    ['utf-16', 'text/plain; charset=utf-16le', (size) => Buffer.from('é'.repeat(size / 2), 'utf16le')],
    ['utf-16 of ASCII', 'text/plain; charset=utf-16le', (size) => Buffer.from('a'.repeat(size / 2), 'utf16le')],
    ['latin1', 'text/plain; charset=iso-8859-1', (size) => Buffer.alloc(size / 2, 0xe9)],
    ['shift_jis', 'text/plain; charset=shift_jis', (size) => Buffer.alloc(size / 2, Buffer.of(0x82, 0xa0))],
  ];
  const inputs = [...encoded, ...bodies].map(([name, type, make]): [string, number, Make] => [
    name,
    10 * BYTES_PER_MIB - 4096,
    (size) => ({ headers: { 'content-type': type }, body: make(size) }),
  ]);
  expect(await findAllGrowth(inputs.map((input) => inputOf(target, 'POST', input)))).toEqual([]);
});
