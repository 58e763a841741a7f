// Which module of the server may import which: a table behind the rules in `oxlint.config.mjs`.

/**
 * The houses of `server/`, from the bottom to the top, and the houses whose modules they may import. `contract/` and
 * the leaves below are open to all.
 */
export const HOUSES = {
  platform: [],
  evaluation: ['platform'],
  network: ['evaluation', 'platform'],
  connectors: ['network', 'evaluation', 'platform'],
  people: ['network', 'evaluation', 'platform'],
  data: ['network', 'platform'],
  workflow: ['people', 'connectors', 'network', 'evaluation', 'platform'],
  engine: ['workflow', 'data', 'people', 'connectors', 'evaluation', 'platform'],
  triggers: ['engine', 'workflow', 'people', 'connectors', 'network', 'evaluation', 'platform'],
  api: ['triggers', 'engine', 'workflow', 'data', 'people', 'connectors', 'network', 'evaluation', 'platform'],
  operate: ['api', 'engine', 'workflow', 'data', 'people', 'evaluation', 'platform'],
};

/** Files, folders and libraries at the bottom of the platform: every module of the server may import them. */
export const LEAVES = [
  'platform/errors',
  'platform/runtime',
  'platform/log',
  'platform/release',
  'platform/root',
  'platform/maintenance',
  'platform/cache',
  'platform/timers',
  'platform/messages',
  'platform/env',
  'platform/counters',
  'platform/tracing',
];

/** What speaks the protocols of other servers. */
const PROTOCOLS = [
  'network/mail',
  'network/sql',
  'network/redis',
  'network/mongodb',
  'network/imap',
  'network/remote',
  'network/models',
  'network/mcp',
];

/** What evaluates templates, schemas and code of users. */
const EVALUATION = ['evaluation/evaluator', 'evaluation/expressions'];

/** Module of the server → modules that it may import besides the leaves and itself. Type imports count. */
export const SERVER = {
  ...Object.fromEntries(LEAVES.map((leaf) => [leaf, []])),
  'platform/db': [],
  'platform/metrics': ['platform/db'],
  'platform/dispatch': ['platform/db'],
  'platform/limits': ['platform/db'],
  'platform/quotas': ['platform/db'],

  'evaluation/redaction': [],
  'evaluation/expressions': [],
  'evaluation/lists': ['evaluation/expressions'],
  'evaluation/openapi': [],
  'evaluation/saml': [],
  'evaluation/model-libraries': [],
  'evaluation/evaluator': [
    'evaluation/expressions',
    'evaluation/lists',
    'evaluation/openapi',
    'evaluation/redaction',
    'evaluation/saml',
    'evaluation/model-libraries',
  ],

  'network/outbound': [...EVALUATION, 'evaluation/redaction'],
  'network/mail': ['network/outbound', 'platform/quotas', 'platform/db'],
  'network/alerts': ['network/outbound', 'network/mail', 'platform/db'],
  'network/pools': ['platform/db'],
  'network/sql': ['network/pools', 'network/outbound', ...EVALUATION, 'platform/db'],
  'network/redis': ['network/pools', 'network/outbound', 'evaluation/expressions'],
  'network/mongodb': ['network/pools', 'network/outbound', 'evaluation/expressions'],
  'network/imap': ['network/outbound', 'evaluation/evaluator'],
  'network/remote': ['network/outbound', 'evaluation/evaluator'],
  'network/models': ['network/outbound', 'evaluation/evaluator', 'evaluation/redaction', 'evaluation/model-libraries'],
  'network/mcp': ['network/outbound', ...EVALUATION, 'evaluation/redaction'],

  connectors: [
    ...PROTOCOLS,
    'network/outbound',
    ...EVALUATION,
    'evaluation/openapi',
    'evaluation/redaction',
    'platform/quotas',
    'platform/db',
  ],

  'people/access': ['evaluation/expressions', 'platform/db'],
  'people/audit': ['people/access', 'platform/db'],
  'people/auth': ['people/access', 'people/audit', 'platform/db'],
  'people/accounts': ['people/auth', 'people/access', 'people/audit', 'network/mail', 'platform/quotas', 'platform/db'],
  'people/sso': [
    'people/accounts',
    'people/auth',
    'people/access',
    'people/audit',
    'network/outbound',
    'evaluation/evaluator',
    'evaluation/saml',
    'platform/db',
  ],

  'data/files': ['network/outbound', 'platform/quotas', 'platform/db'],
  'data/remember': ['platform/quotas', 'platform/db'],
  'data/tables': ['platform/quotas', 'platform/db'],

  'workflow/templates': [],
  'workflow/forms': EVALUATION,
  'workflow/nodes': [
    'workflow/forms',
    'connectors',
    ...PROTOCOLS,
    'network/outbound',
    ...EVALUATION,
    'evaluation/lists',
    'evaluation/redaction',
  ],
  'workflow/definition': [
    'workflow/nodes',
    'connectors',
    ...EVALUATION,
    'evaluation/openapi',
    'people/access',
    'platform/db',
  ],
  'workflow/builder': [
    'workflow/definition',
    'workflow/nodes',
    'workflow/templates',
    'connectors',
    'network/models',
    ...EVALUATION,
    'evaluation/redaction',
    'people/access',
    'platform/db',
  ],

  engine: [
    'workflow/definition',
    'workflow/nodes',
    'data/files',
    'data/remember',
    'data/tables',
    'connectors',
    ...EVALUATION,
    'evaluation/redaction',
    'people/audit',
    'people/access',
    'platform/quotas',
    'platform/limits',
    'platform/dispatch',
    'platform/db',
  ],

  'triggers/missed-events': ['platform/db'],
  'triggers/webhooks': ['network/outbound', 'platform/dispatch', 'platform/db'],
  'triggers/subscriptions': ['triggers/webhooks', 'engine', 'connectors', 'people/audit', 'platform/db'],
  'triggers/schedules': [
    'triggers/missed-events',
    'engine',
    'workflow/definition',
    'workflow/nodes',
    'platform/dispatch',
    'platform/db',
  ],
  'triggers/polls': [
    'triggers/missed-events',
    'engine',
    'workflow/definition',
    'workflow/nodes',
    ...EVALUATION,
    'platform/db',
  ],

  'api/operation': ['triggers/webhooks', 'data/files', 'people/access', 'people/audit', 'platform/db'],
  'api/documentation': ['workflow/nodes', 'workflow/templates', 'connectors'],
  'api/pipeline': [
    'api/operation',
    'triggers/webhooks',
    'data/files',
    'people/auth',
    'people/access',
    'people/audit',
    ...EVALUATION,
    'platform/limits',
    'platform/db',
  ],
  'api/operations': [
    'api/pipeline',
    'api/operation',
    'triggers/missed-events',
    'triggers/webhooks',
    'triggers/subscriptions',
    'triggers/polls',
    'engine',
    'workflow/forms',
    'workflow/templates',
    'workflow/builder',
    'workflow/definition',
    'workflow/nodes',
    'data/files',
    'data/remember',
    'data/tables',
    'people/auth',
    'people/accounts',
    'people/sso',
    'people/access',
    'people/audit',
    'connectors',
    'network/alerts',
    'network/outbound',
    ...EVALUATION,
    'evaluation/openapi',
    'platform/quotas',
    'platform/limits',
    'platform/db',
  ],
  'api/http': [
    'api/documentation',
    'api/operations',
    'api/pipeline',
    'api/operation',
    'workflow/nodes',
    'data/files',
    'people/sso',
    'people/auth',
    'people/accounts',
    'evaluation/expressions',
    'platform/metrics',
    'platform/db',
  ],
  'api/channel': [
    'api/http',
    'api/pipeline',
    'api/operation',
    'workflow/definition',
    'workflow/nodes',
    'people/auth',
    'people/access',
    'evaluation/expressions',
    'platform/dispatch',
    'platform/db',
  ],

  'operate/boot': [
    'api/http',
    'api/channel',
    'api/documentation',
    'engine',
    'workflow/definition',
    'data/files',
    'people/accounts',
    'platform/db',
  ],
  'operate/backup': [
    'workflow/definition',
    'data/files',
    'data/tables',
    'people/access',
    'evaluation/openapi',
    'platform/db',
  ],
  'operate/commands': [
    'operate/boot',
    'operate/backup',
    'engine',
    'data/files',
    'people/accounts',
    'people/audit',
    'platform/db',
  ],
};

/**
 * The floors of the engine, which are its folders, from the top to the bottom: each may import those below it and
 * itself.
 */
export const ENGINE_FLOORS = ['endings', 'report', 'run', 'queue', 'attempt', 'answers', 'store', 'load'];

/** The files of the engine that are in no folder: the worker, above all floors. */
export const ENGINE_WORKER = ['worker', 'worker-lease', 'claim-loop', 'isolated-worker'];
