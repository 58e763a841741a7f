const OWN = [{ attribute: 'resource.createdBy', operator: 'eq', valueFrom: 'caller.id' }];

/** Bodies that show more of an operation than its required fields would. By operation id. */
export const BODIES: Record<string, unknown> = {
  'workflows.create': {
    name: 'Order notification',
    description: 'Tells the shop owner about each order.',
    definition: {
      nodes: [
        { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
        {
          id: 'fetch',
          type: 'http_request',
          position: { x: 240, y: 0 },
          config: { url: 'https://shop.example.com/orders/{{ input.orderId }}', method: 'GET' },
        },
      ],
      connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'fetch', targetPort: 'input' }],
    },
  },
  'workflows.update': { name: 'Order notification', version: 3 },
  'workflows.execute': { input: { orderId: 7 } },
  'executions.resume': { nodeId: 'approval', decision: 'approved', comment: 'Looks right.' },
  'executions.rerun': { fromNodeId: 'fetch' },
  'schedules.create': { cron: '0 6 * * 1-5', timezone: 'Europe/Berlin', input: { report: 'daily' } },
  'credentials.create': { name: 'Shop', type: 'api_key', config: { apiKey: '<API_KEY>', header: 'X-API-Key' } },
  'oauth.authorizeUrl': {
    connector_type: 'shopify',
    scopes: ['read_products'],
    code_verifier: 'a'.repeat(128),
    state: '4f9c2c1e-6f0b-4c55-9a55-3d1f8ad0f4a1',
    additional_params: { shop: 'my-shop.myshopify.com' },
  },
  'roles.create': {
    name: 'Night shift',
    description: 'Runs and repairs, but changes nothing of others.',
    inherits: ['role_operator-000000000000000'],
    permissions: [
      {
        resource: 'workflow',
        action: 'update',
        conditions: OWN,
      },
    ],
  },
  'ssoProviders.create': {
    type: 'oidc',
    name: 'Company login',
    issuer: 'https://login.example.com',
    clientId: '<CLIENT_ID>',
    clientSecret: '<CLIENT_SECRET>',
    domains: ['example.com'],
  },
};

/** How ids begin, by the schema or the field that they stand in. */
export const PREFIXES: [RegExp, string][] = [
  [/^WorkflowVersion/, 'wfv'],
  [/^(Workflow|workflowId)/, 'wf'],
  [/^(\w*[eE]xecution|rerunOf)/, 'exec'],
  [/^(Webhook|webhookId)/, 'whk'],
  [/^(Delivery|replayOf)/, 'dlv'],
  [/^Schedule/, 'sch'],
  [/^([cC]redential|ConnectorCredential|ConnectorRefresh)/, 'cred'],
  [/^([wW]orkspace)/, 'ws'],
  [/^(Member|Me$|User|userId|createdBy|invitedBy|actorId)/, 'usr'],
  [/^(Invit|invitationId)/, 'inv'],
  [/^ApiKey/, 'key'],
  [/^([rR]ole|AssignedRole)/, 'role'],
  [/^Audit/, 'aud'],
  [/^(Sso|provider)/, 'sso'],
  [/^Session/, 'ses'],
  [/^Outbox/, 'mail'],
  [/^requestId/, 'req'],
];

/** What fields hold, as a reader would expect it. */
export const WORDS: Record<string, unknown> = {
  name: 'Order notification',
  description: 'Tells the shop owner about each order.',
  slug: 'acme',
  email: 'ada@example.com',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'battery staple correct',
  accessToken: '<ACCESS_TOKEN>',
  refreshToken: '<REFRESH_TOKEN>',
  expiresIn: 86_400,
  code: '123456',
  comment: 'Looks right.',
  message: 'Waits longer for the shop.',
  token: '<TOKEN>',
  clientId: '<CLIENT_ID>',
  clientSecret: '<CLIENT_SECRET>',
  role: 'editor',
  roles: ['editor'],
  path: 'orders/new',
  url: 'https://weft.example.com/webhooks/wf_7Zk2mQ9xT4bL0aWc8RsYdE1u/orders/new',
  secret: '<WEBHOOK_SECRET>',
  nodeId: 'fetch',
  sourceNode: 'start',
  sourcePort: 'output',
  targetNode: 'fetch',
  targetPort: 'input',
  port: 'output',
  rerunOf: null,
  untilNodeId: null,
  parentExecutionId: null,
  lastError: null,
  error: null,
  reason: null,
  cron: '0 6 * * 1-5',
  timezone: 'Europe/Berlin',
  connectorId: 'shopify',
  connector_type: 'shopify',
  ipAddress: '198.51.100.7',
  userAgent: 'curl/8.5.0',
  action: 'workflows.update',
  key: '<API_KEY>',
  scopes: ['read'],
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  version: 3,
  workflowVersion: 3,
  attempts: 1,
  total: 1,
  limit: 50,
  offset: 0,
  domains: ['example.com'],
  allowedDomains: ['example.com'],
  conditions: OWN,
  code_verifier: 'a'.repeat(128),
  state: '4f9c2c1e-6f0b-4c55-9a55-3d1f8ad0f4a1',
  redirectUri: 'https://weft.example.com/oauth/callback',
  authorization_url: 'https://my-shop.myshopify.com/admin/oauth/authorize?client_id=…&code_challenge_method=S256',
};

/** Of several words that a field may hold, those that most answers have. */
export const TYPICAL = new Set<unknown>(['completed', 'active', 'accepted', 'configuration_change']);

/** Schemas whose fields need each other to make sense. */
export const WHOLES: Record<string, unknown> = {
  RunError: { code: 'TIMEOUT', message: 'The request took longer than 60 s.', nodeId: 'fetch' },
  Me: {
    user: {
      id: 'usr_7Zk2mQ9xT4bL0aWc8RsYdE1u',
      email: 'ada@example.com',
      name: 'Ada Example',
      mfaEnabled: true,
      preferences: { isTourOver: true },
    },
    workspaces: [
      {
        id: 'ws_7Zk2mQ9xT4bL0aWc8RsYdE1u',
        name: 'Acme',
        slug: 'acme',
        role: 'operator',
        permissions: ['workflow:read', 'workflow:execute', 'execution:read', 'execution:cancel'],
        conditionalPermissions: ['workflow:update'],
      },
    ],
  },
  AuditEntry: {
    id: 'aud_7Zk2mQ9xT4bL0aWc8RsYdE1u',
    timestamp: '2026-01-31T08:15:30.000Z',
    category: 'configuration_change',
    action: 'workflows.update',
    actor: { type: 'user', id: 'usr_7Zk2mQ9xT4bL0aWc8RsYdE1u', email: 'ada@example.com' },
    resource: { type: 'workflow', id: 'wf_7Zk2mQ9xT4bL0aWc8RsYdE1u' },
    result: 'success',
    metadata: { ipAddress: '198.51.100.7', userAgent: 'curl/8.5.0', requestId: 'req_7Zk2mQ9xT4bL0aWc8RsYdE1u' },
  },
};
