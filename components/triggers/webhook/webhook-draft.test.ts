import { expect, test } from 'vitest';
import { WebhookCreate, type Webhook } from '@/contract/triggers/webhook';
import { MASK } from '@/contract/triggers/webhook-names';
import { WebhookProvider, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import { bodyOf, CHOICES, draftOf, EMPTY_DRAFT, formField, presetsOf, verificationName } from './webhook-draft';

const webhookWith = (verification: WebhookVerification): Webhook => ({
  id: 'whk_1',
  workflowId: 'wf_1',
  path: 'in',
  url: 'https://weft.example.com/webhooks/wf_1/in',
  methods: ['POST'],
  verification,
  input: 'body',
  response: { mode: 'accepted' },
  allowedIps: [],
  cors: null,
  enabled: true,
  createdAt: '2026-01-31T08:15:30.000Z',
  lastCall: null,
});

test('the documented webhook is created without a verification', () => {
  expect(bodyOf({ ...EMPTY_DRAFT, path: ' orders/new ' }, true)).toEqual({
    path: 'orders/new',
    methods: ['POST'],
    input: 'body',
    response: { mode: 'accepted' },
    allowedIps: [],
    cors: null,
  });
});

test('pages that may call are sent as they are stored, and taken back without an origin', () => {
  const cors = { origins: ['https://site.example'], headers: ['x-my-header'] };
  const draft = draftOf({ ...webhookWith({ kind: 'none' }), cors });
  expect(bodyOf(draft, false)).toMatchObject({ cors });
  expect(bodyOf({ ...draft, corsOrigins: [] }, false)).toMatchObject({ cors: null });
});

test('every provider can be chosen by name', () => {
  for (const provider of WebhookProvider.options) expect(CHOICES).toHaveProperty([`provider:${provider}`]);
});

const FILLED: Record<string, Record<string, string>> = {
  jwt: { key: 'a shared secret', algorithms: 'HS256,HS512' },
  'provider:discord': { secret: '0'.repeat(64) },
};

test.each(Object.keys(CHOICES))('%s makes a body that the service takes', (choice) => {
  const filled = Object.fromEntries(
    Object.entries(presetsOf(choice)).map(([name, preset]) => [name, preset || 'filled in']),
  );
  const values = { ...filled, jwksUrl: '', ...FILLED[choice] };
  const body = bodyOf({ ...EMPTY_DRAFT, path: 'in', choice, values }, true);
  expect(WebhookCreate.safeParse(body).error?.issues).toBeUndefined();
});

test.each<[string, WebhookVerification]>([
  [
    'Signature in X-Service-Signature',
    {
      kind: 'signature',
      secret: MASK,
      header: 'x-service-signature',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: 'sha256=',
    },
  ],
  [
    'Signature with other settings',
    { kind: 'signature', secret: MASK, header: 'x-hook', algorithm: 'sha1', encoding: 'base64', prefix: '' },
  ],
  ['Meta (Facebook, Instagram, WhatsApp)', { kind: 'provider', provider: 'meta', secret: MASK, verifyToken: MASK }],
  ['User name and password', { kind: 'basic', username: 'shop', password: MASK }],
  [
    'JSON Web Token',
    {
      kind: 'jwt',
      algorithms: ['ES256', 'RS256'],
      jwksUrl: 'https://a.example/keys',
      issuer: 'a',
      allowWithoutExpiry: true,
    },
  ],
  ['None', { kind: 'none' }],
])('%s: an unchanged form sends what is stored, without secrets', (name, verification) => {
  const webhook = webhookWith(verification);
  expect(verificationName(webhook)).toBe(name);
  const { verification: sent } = bodyOf(draftOf(webhook), false) as { verification: object };
  const stored = Object.fromEntries(Object.entries(verification).filter(([, value]) => value !== MASK));
  expect(sent).toEqual(stored);
});

test('errors of the service belong to fields of the form', () => {
  expect(
    ['path', 'allowedIps[2]', 'cors.origins[0]', 'verification.secret', 'verification.algorithms[0]'].map(formField),
  ).toEqual(['path', 'allowedIps', 'cors.origins', 'secret', 'algorithms']);
});
