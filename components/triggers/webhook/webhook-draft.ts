import type { WebhookTrigger, WebhookInputMode, WebhookMethod, WebhookResponseMode } from '@/contract/triggers/webhook';
import {
  DEFAULT_VERIFICATION,
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  JWT_ALGORITHMS,
  SECRET_MASK,
} from '@/contract/triggers/webhook-constants';
import type { WebhookProvider, WebhookVerification } from '@/contract/triggers/webhook-verification';

/** One field of a verification in the form. */
export interface VerificationField {
  /** Its name in the API. */
  name: string;
  label: string;
  hint?: string;
  isSecret?: boolean;
  /** Its value for a new webhook. */
  preset?: string;
  choices?: readonly string[];
  /** Several of `choices`, separated by commas. */
  isMultiple?: boolean;
  /** The value may have more than one line. */
  isLong?: boolean;
  /** Yes or no: `true`, or anything else. */
  isSwitch?: boolean;
}

interface VerificationChoice {
  label: string;
  group: 'Signature' | 'Provider' | 'Password or token' | 'Open';
  hint?: string;
  /** What the API gets besides the fields. */
  base: { kind: WebhookVerification['kind']; provider?: WebhookProvider };
  fields: VerificationField[];
}

const PROVIDER_LABELS: Record<WebhookProvider, [label: string, secret: string]> = {
  github: ['GitHub', 'Secret'],
  gitlab: ['GitLab', 'Secret token'],
  stripe: ['Stripe', 'Signing secret'],
  shopify: ['Shopify', 'Client secret of the app'],
  slack: ['Slack', 'Signing secret'],
  standard_webhooks: ['Standard Webhooks', 'Secret (whsec_…)'],
  svix: ['Svix', 'Secret (whsec_…)'],
  typeform: ['Typeform', 'Secret'],
  linear: ['Linear', 'Signing secret'],
  twilio: ['Twilio', 'Auth token'],
  mailgun: ['Mailgun', 'HTTP webhook signing key'],
  discord: ['Discord', 'Public key'],
  meta: ['Meta (Facebook, Instagram, WhatsApp)', 'App secret'],
  zoom: ['Zoom', 'Secret token'],
  telegram: ['Telegram', 'Secret token of setWebhook'],
  paddle: ['Paddle', 'Secret key of the destination'],
  square: ['Square', 'Signature key'],
  calendly: ['Calendly', 'Signing key'],
  hubspot: ['HubSpot', 'Client secret of the app'],
  trello: ['Trello', 'Secret of the app'],
  microsoft_graph: ['Microsoft Graph', 'Client state'],
  asana: ['Asana', 'Secret (X-Hook-Secret)'],
  zendesk: ['Zendesk', 'Signing secret'],
  mailchimp: ['Mailchimp', 'Secret in the address'],
};

const createProviderChoice = (provider: WebhookProvider): [string, VerificationChoice] => {
  const [label, secret] = PROVIDER_LABELS[provider];
  const fields: VerificationField[] = [{ name: 'secret', label: secret, isSecret: true }];
  if (provider === 'meta') fields.push({ name: 'verifyToken', label: 'Verify token', isSecret: true });
  return [`provider:${provider}`, { label, group: 'Provider', base: { kind: 'provider', provider }, fields }];
};

export const DOCUMENTED_CHOICE = 'documented';

/** The ways to verify a sender that the form offers, by a key of its own. */
export const VERIFICATION_CHOICES: Record<string, VerificationChoice> = {
  [DOCUMENTED_CHOICE]: {
    label: 'Signature in X-Service-Signature',
    group: 'Signature',
    hint: 'The service makes a secret and shows it once.',
    base: DEFAULT_VERIFICATION,
    fields: [],
  },
  signature: {
    label: 'Signature with other settings',
    group: 'Signature',
    hint: 'An HMAC of the raw body.',
    base: { kind: 'signature' },
    fields: [
      { name: 'secret', label: 'Secret', hint: 'If it is empty, the service makes one.', isSecret: true },
      { name: 'header', label: 'Header', preset: 'x-signature' },
      { name: 'algorithm', label: 'Algorithm', preset: 'sha256', choices: HMAC_ALGORITHMS },
      { name: 'encoding', label: 'Encoding', preset: 'hex', choices: HMAC_ENCODINGS },
      { name: 'prefix', label: 'Prefix', hint: 'What the value begins with.', preset: '' },
    ],
  },
  ...Object.fromEntries((Object.keys(PROVIDER_LABELS) as WebhookProvider[]).map(createProviderChoice)),
  basic: {
    label: 'User name and password',
    group: 'Password or token',
    base: { kind: 'basic' },
    fields: [
      { name: 'username', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
    ],
  },
  header: {
    label: 'Secret in a header',
    group: 'Password or token',
    base: { kind: 'header' },
    fields: [
      { name: 'name', label: 'Header', preset: 'x-webhook-token' },
      { name: 'value', label: 'Value', isSecret: true },
    ],
  },
  jwt: {
    label: 'JSON Web Token',
    group: 'Password or token',
    base: { kind: 'jwt' },
    fields: [
      { name: 'algorithms', label: 'Algorithms', preset: 'RS256', choices: JWT_ALGORITHMS, isMultiple: true },
      { name: 'jwksUrl', label: 'URL of the public keys', hint: 'JWK Set. Leave it empty to give a key.' },
      {
        name: 'key',
        label: 'Key',
        hint: 'Public key as PEM, or a shared secret for HS…',
        isSecret: true,
        isLong: true,
      },
      { name: 'issuer', label: 'Issuer (optional)' },
      { name: 'audience', label: 'Audience (optional)' },
      {
        name: 'allowWithoutExpiry',
        label: 'Accept tokens that never expire',
        hint: 'Without “exp” in it, a token that somebody has seen works for ever.',
        isSwitch: true,
      },
    ],
  },
  api_key: {
    label: 'API key of this workspace',
    group: 'Password or token',
    hint: 'In X-API-Key or as bearer token. The owner of the key needs permission to run the workflow.',
    base: { kind: 'api_key' },
    fields: [],
  },
  none: {
    label: 'None',
    group: 'Open',
    hint: 'Anyone who knows the URL can start runs. An empty path becomes 32 random characters.',
    base: { kind: 'none' },
    fields: [],
  },
};

/** The options of the selection, by group. The long list of providers is last, so that it hides no other choice. */
export const VERIFICATION_CHOICE_GROUPS = (['Signature', 'Open', 'Password or token', 'Provider'] as const).map(
  (group) => ({
    group,
    items: Object.entries(VERIFICATION_CHOICES)
      .filter(([, choice]) => choice.group === group)
      .map(([value, { label }]) => ({ value, label })),
  }),
);

/** The values of the webhook form. */
export interface WebhookDraft {
  path: string;
  methods: WebhookMethod[];
  input: WebhookInputMode;
  response: WebhookResponseMode;
  allowedIps: string[];
  /** Origins of pages that may call by script; empty: none. */
  corsOrigins: string[];
  /** Headers that those pages may set. */
  corsHeaders: string[];
  startNodeId: string | null;
  /** A key of CHOICES. */
  choice: string;
  /** Values of the fields by name. */
  values: Record<string, string>;
}

export const EMPTY_WEBHOOK_DRAFT: WebhookDraft = {
  path: '',
  methods: ['POST'],
  input: 'body',
  response: { mode: 'accepted' },
  allowedIps: [],
  corsOrigins: [],
  corsHeaders: [],
  startNodeId: null,
  choice: DOCUMENTED_CHOICE,
  values: {},
};

/** The fields of a choice with their values for a new webhook. */
export const verificationPresets = (choice: string): Record<string, string> =>
  Object.fromEntries((VERIFICATION_CHOICES[choice]?.fields ?? []).map(({ name, preset = '' }) => [name, preset]));

/** Whether the sender signs as the API documents it. */
export const hasDocumentedSignature = ({ verification }: Pick<WebhookTrigger, 'verification'>): boolean =>
  Object.entries(DEFAULT_VERIFICATION).every(([name, value]) => verification[name as 'kind'] === value);

function verificationChoice({ verification }: Pick<WebhookTrigger, 'verification'>): string {
  if (hasDocumentedSignature({ verification })) return DOCUMENTED_CHOICE;
  return verification.kind === 'provider' ? `provider:${verification.provider}` : verification.kind;
}

/** The name of a webhook's verification. */
export const verificationLabel = (webhook: WebhookTrigger): string =>
  VERIFICATION_CHOICES[verificationChoice(webhook)]?.label ?? webhook.verification.kind;

/** Whether a webhook takes tokens that work for ever. */
export const acceptsUnexpiringTokens = ({ verification }: Pick<WebhookTrigger, 'verification'>): boolean =>
  verification.kind === 'jwt' && verification.allowWithoutExpiry === true;

/** An existing webhook; its secrets are empty, because the service does not show them. */
export function toWebhookDraft({
  path,
  methods,
  input,
  response,
  allowedIps,
  cors,
  startNodeId,
  verification,
}: WebhookTrigger): WebhookDraft {
  const choice = verificationChoice({ verification });
  const stored = verification as Record<string, unknown>;
  const values = Object.keys(verificationPresets(choice)).map((name) => {
    const value = stored[name];
    return [name, value === SECRET_MASK || value === undefined ? '' : String(value)];
  });
  return {
    path,
    methods,
    input,
    response,
    allowedIps,
    corsOrigins: cors?.origins ?? [],
    corsHeaders: cors?.headers ?? [],
    startNodeId,
    choice,
    values: Object.fromEntries(values) as Record<string, string>,
  };
}

function toVerification({ choice, values }: WebhookDraft): WebhookVerification {
  const { base, fields } = VERIFICATION_CHOICES[choice] ?? { base: DEFAULT_VERIFICATION, fields: [] };
  const entries = fields.flatMap(({ name, isMultiple, isSwitch }): [string, string | string[] | boolean][] => {
    const value = values[name] ?? '';
    if (isSwitch) return [[name, value === 'true']];
    // An empty prefix is a prefix; other empty fields are left out.
    if (value === '' && name !== 'prefix') return [];
    return [[name, isMultiple ? value.split(',') : value]];
  });
  return { ...base, ...Object.fromEntries(entries) } as WebhookVerification;
}

/** The request body. The documented webhook is created by its path alone. */
export function webhookRequestBody(draft: WebhookDraft, isNew: boolean) {
  const { methods, input, response, allowedIps, corsOrigins, corsHeaders, startNodeId } = draft;
  const cors = corsOrigins.length > 0 ? { origins: corsOrigins, headers: corsHeaders } : null;
  const path = draft.path.trim();
  const settings = { path: path === '' ? undefined : path, methods, input, response, allowedIps, cors, startNodeId };
  return isNew && draft.choice === DOCUMENTED_CHOICE ? settings : { ...settings, verification: toVerification(draft) };
}

/** The field of the form that an error of the service belongs to: `allowedIps` for `allowedIps[2]`. */
export const webhookFormField = (field: string): string => field.replace(/\[\d+\]$/, '').replace(/^verification\./, '');
