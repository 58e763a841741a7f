import type { DocumentationSection } from '@/contract/documentation';
import { builtInConnectors } from '@/server/connectors';
import { listPublicNodeTypes } from '@/server/workflow/nodes';

/** A page that is a Markdown file of the repository. */
export interface DocumentationFilePage {
  path: string;
  title: string;
  /** The path of the file from the root of the repository. */
  file: string;
}

interface DocumentationFileSection {
  title: string;
  pages: DocumentationFilePage[];
}

/** Pages of one folder. Their addresses do not name it, so a page can move. */
const createPageFactory =
  (folder: string) =>
  (path: string, title: string): DocumentationFilePage => ({ path, title, file: `docs/${folder}${path}.md` });

const startPage = createPageFactory('start/');
const triggerPage = createPageFactory('triggers/');
const buildPage = createPageFactory('build/');
const dataPage = createPageFactory('data/');
const operatePage = createPageFactory('operate/');
const rootPage = createPageFactory('');

const SECTIONS_BEFORE_NODES: DocumentationFileSection[] = [
  {
    title: 'Get started',
    pages: [
      { path: '', title: 'Overview', file: 'docs/index.md' },
      startPage('first-workflow', 'First workflow'),
      startPage('concepts', 'Concepts'),
      startPage('definitions', 'Workflows as JSON'),
      rootPage('why', 'Beside other tools'),
    ],
  },
  {
    title: 'Triggers and responses',
    pages: [
      triggerPage('webhooks', 'Webhooks'),
      triggerPage('subscriptions', 'Subscriptions at services'),
      triggerPage('schedules', 'Schedules'),
      triggerPage('responses', 'Responses'),
      triggerPage('forms', 'Forms and approvals'),
      triggerPage('chat', 'Chat'),
      triggerPage('polling', 'Polling'),
      triggerPage('mail', 'Email'),
    ],
  },
  {
    title: 'Build',
    pages: [
      buildPage('expressions', 'Expressions and code'),
      buildPage('expressions-javascript', 'Expressions in JavaScript'),
      buildPage('execution', 'The run in expressions'),
      buildPage('http', 'HTTP requests'),
      buildPage('private-services', 'Private services'),
      buildPage('errors', 'Errors and retries'),
      buildPage('pins', 'Pinned outputs'),
      buildPage('workflow-tests', 'Tests'),
      buildPage('annotations', 'Rate and keep runs'),
      buildPage('each', 'Lists'),
      buildPage('lists', 'List nodes'),
      buildPage('loops', 'Loops and pages'),
      buildPage('convert', 'Conversions'),
      buildPage('servers', 'Servers: SSH, SFTP, FTP'),
      buildPage('ai', 'Language models and agents'),
      buildPage('ai-builder', 'Build with AI'),
      buildPage('mcp', 'Model Context Protocol'),
      buildPage('import-n8n', 'Import from n8n'),
      buildPage('workflow-settings', 'Workflow settings'),
    ],
  },
  {
    title: 'Data',
    pages: [
      dataPage('tables', 'Tables'),
      dataPage('table-node', 'Table node'),
      dataPage('remember', 'Remember node'),
      dataPage('values', 'Values between nodes'),
      dataPage('files', 'Files'),
      dataPage('sql', 'SQL'),
      dataPage('redis', 'Redis'),
      dataPage('mongodb', 'MongoDB'),
    ],
  },
];

const SECTIONS_AFTER_NODES: DocumentationFileSection[] = [
  {
    title: 'Operate',
    pages: [
      operatePage('configuration', 'Configuration'),
      operatePage('administration', 'Administration'),
      operatePage('observability', 'Observability'),
      operatePage('environments', 'Environments and git'),
      operatePage('backup', 'Backup and restore'),
      operatePage('move-workspace', 'Move a workspace'),
      operatePage('upgrade', 'Upgrade and rollback'),
      operatePage('sso', 'Single sign-on'),
      operatePage('sizing', 'Sizing'),
      operatePage('scaling', 'Scaling'),
      operatePage('database-tls', 'TLS to PostgreSQL'),
      operatePage('failover', 'Failover of PostgreSQL'),
      operatePage('recovery', 'Point-in-time recovery'),
      operatePage('pooler', 'Connection pooler'),
      operatePage('egress', 'Outgoing connections'),
      operatePage('security', 'Security'),
      operatePage('rights', 'Rights'),
      rootPage('limits', 'Limits'),
      rootPage('performance', 'Performance'),
    ],
  },
  {
    title: 'Develop',
    pages: [
      rootPage('rest-api', 'REST API'),
      rootPage('client', 'TypeScript client'),
      rootPage('cli', 'Command line'),
      rootPage('architecture', 'Architecture'),
      { path: 'contributing', title: 'Contributing', file: 'CONTRIBUTING.md' },
      { path: 'decisions', title: 'Decisions', file: 'docs/decisions/README.md' },
      rootPage('dependencies', 'Dependencies'),
      rootPage('licenses', 'Third-party licences'),
      { path: 'changelog', title: 'Changelog', file: 'CHANGELOG.md' },
      { path: 'reporting', title: 'Report a vulnerability', file: 'SECURITY.md' },
    ],
  },
];

/** First in the section of the connectors. */
const CONNECTING_PAGE = buildPage('connecting', 'Connecting accounts');
const OPENAPI_PAGE = buildPage('openapi-connectors', 'Connectors from OpenAPI');

/** A decision: `decisions/0001-name`. */
export const DECISION_PAGE_PATTERN = /^decisions\/\d{4}-[a-z0-9-]+$/;

/** The page of a file, if it is a decision. */
export const decisionPagePath = (file: string): string | undefined => {
  const page = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return DECISION_PAGE_PATTERN.test(page) ? page : undefined;
};

export const NODE_PAGES_PREFIX = 'nodes/';
export const CONNECTOR_PAGES_PREFIX = 'connectors/';

/** Pages that are files, in the order of the navigation. Decisions are further files, which their list links to. */
export const documentationFilePages: DocumentationFilePage[] = [
  ...[...SECTIONS_BEFORE_NODES, ...SECTIONS_AFTER_NODES].flatMap(({ pages }) => pages),
  CONNECTING_PAGE,
  OPENAPI_PAGE,
];

/** The guide that explains a node type in full, by type. */
export const NODE_GUIDES: Readonly<Record<string, { path: string; title: string }>> = Object.fromEntries(
  Object.entries({
    filter: 'lists',
    sort: 'lists',
    aggregate: 'lists',
    dedupe: 'lists',
    split: 'lists',
    merge: 'lists',
    for_each: 'loops',
    repeat: 'loops',
    convert: 'convert',
    table: 'table-node',
    remember: 'remember',
    sql: 'sql',
    redis: 'redis',
    mongodb: 'mongodb',
    ssh: 'servers',
    file_transfer: 'servers',
    respond: 'responses',
    wait_for_call: 'execution',
    approval: 'forms',
    form_page: 'forms',
    form_ending: 'forms',
    code: 'expressions',
    transform: 'expressions',
    connector: 'connecting',
  }).map(([type, path]) => [type, requireFilePage(path)]),
);

function requireFilePage(path: string): { path: string; title: string } {
  const page = documentationFilePages.find((one) => one.path === path);
  if (!page) throw new Error(`There is no page ${path}`);
  return { path, title: page.title };
}

/** The navigation of the site. */
export function listDocumentSections(): DocumentationSection[] {
  const named = ({ path, title }: DocumentationFilePage) => ({ path, title });
  const files = ({ title, pages }: DocumentationFileSection) => ({ title, pages: pages.map(named) });
  return [
    ...SECTIONS_BEFORE_NODES.map(files),
    {
      title: 'Nodes',
      pages: listPublicNodeTypes().map(({ type, title }) => ({ path: NODE_PAGES_PREFIX + type, title })),
    },
    {
      title: 'Connectors',
      pages: [
        named(CONNECTING_PAGE),
        named(OPENAPI_PAGE),
        ...builtInConnectors.map(({ id, name }) => ({ path: CONNECTOR_PAGES_PREFIX + id, title: name })),
      ],
    },
    ...SECTIONS_AFTER_NODES.map(files),
  ];
}
