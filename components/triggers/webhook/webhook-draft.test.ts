import { expect, test } from 'vitest';
import { CreateWebhookRequest, type WebhookTrigger } from '@/contract/triggers/webhook';
import { SECRET_MASK } from '@/contract/triggers/webhook-constants';
import { WebhookProvider, type WebhookVerification } from '@/contract/triggers/webhook-verification';
import {
  webhookRequestBody,
  VERIFICATION_CHOICES,
  toWebhookDraft,
  EMPTY_WEBHOOK_DRAFT,
  webhookFormField,
  verificationPresets,
  verificationLabel,
} from './webhook-draft';

const webhookWith = (verification: WebhookVerification): WebhookTrigger => ({
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
  startNodeId: 'second',
  createdAt: '2026-01-31T08:15:30.000Z',
  lastCall: null,
  subscription: null,
});

test('the documented webhook is created without a verification', () => {
  expect(webhookRequestBody({ ...EMPTY_WEBHOOK_DRAFT, path: ' orders/new ' }, true)).toEqual({
    path: 'orders/new',
    methods: ['POST'],
    input: 'body',
    response: { mode: 'accepted' },
    allowedIps: [],
    cors: null,
    startNodeId: null,
  });
});

test('pages that may call are sent as they are stored, and taken back without an origin', () => {
  const cors = { origins: ['https://site.example'], headers: ['x-my-header'] };
  const draft = toWebhookDraft({ ...webhookWith({ kind: 'none' }), cors });
  expect(webhookRequestBody(draft, false)).toMatchObject({ cors });
  expect(webhookRequestBody({ ...draft, corsOrigins: [] }, false)).toMatchObject({ cors: null });
});

test('every provider can be chosen by name', () => {
  for (const provider of WebhookProvider.options) expect(VERIFICATION_CHOICES).toHaveProperty([`provider:${provider}`]);
});

const FILLED: Record<string, Record<string, string>> = {
  jwt: { key: 'a shared secret', algorithms: 'HS256,HS512' },
  'provider:discord': { secret: '0'.repeat(64) },
};

test.each(Object.keys(VERIFICATION_CHOICES))('%s makes a body that the service takes', (choice) => {
  const filled = Object.fromEntries(
    Object.entries(verificationPresets(choice)).map(([name, preset]) => [name, preset || 'filled in']),
  );
  const values = { ...filled, jwksUrl: '', ...FILLED[choice] };
  const body = webhookRequestBody({ ...EMPTY_WEBHOOK_DRAFT, path: 'in', choice, values }, true);
  expect(CreateWebhookRequest.safeParse(body).error?.issues).toBeUndefined();
});

test.each<[string, WebhookVerification]>([
  [
    'Signature in X-Service-Signature',
    {
      kind: 'signature',
      secret: SECRET_MASK,
      header: 'x-service-signature',
      algorithm: 'sha256',
      encoding: 'hex',
      prefix: 'sha256=',
    },
  ],
  [
    'Signature with other settings',
    { kind: 'signature', secret: SECRET_MASK, header: 'x-hook', algorithm: 'sha1', encoding: 'base64', prefix: '' },
  ],
  [
    'Meta (Facebook, Instagram, WhatsApp)',
    { kind: 'provider', provider: 'meta', secret: SECRET_MASK, verifyToken: SECRET_MASK },
  ],
  ['User name and password', { kind: 'basic', username: 'shop', password: SECRET_MASK }],
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
  expect(verificationLabel(webhook)).toBe(name);
  const { verification: sent } = webhookRequestBody(toWebhookDraft(webhook), false) as { verification: object };
  const stored = Object.fromEntries(Object.entries(verification).filter(([, value]) => value !== SECRET_MASK));
  expect(sent).toEqual(stored);
});

test('errors of the service belong to fields of the form', () => {
  expect(
    ['path', 'allowedIps[2]', 'cors.origins[0]', 'verification.secret', 'verification.algorithms[0]'].map(
      webhookFormField,
    ),
  ).toEqual(['path', 'allowedIps', 'cors.origins', 'secret', 'algorithms']);
});
