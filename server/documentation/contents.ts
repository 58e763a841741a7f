import type { DocumentationSection } from '@/contract/documentation';
import { connectors } from '@/server/connectors';
import { catalogue } from '@/server/nodes';

/** A page that is a Markdown file of the repository. */
export interface FilePage {
  path: string;
  title: string;
  /** From the root of the repository. */
  file: string;
}

interface FileSection {
  title: string;
  pages: FilePage[];
}

/** Pages of one folder. Their addresses do not name it, so a page can move. */
const pagesIn =
  (folder: string) =>
  (path: string, title: string): FilePage => ({ path, title, file: `docs/${folder}${path}.md` });

const start = pagesIn('start/');
const trigger = pagesIn('triggers/');
const build = pagesIn('build/');
const data = pagesIn('data/');
const operate = pagesIn('operate/');
const doc = pagesIn('');

const BEFORE_NODES: FileSection[] = [
  {
    title: 'Get started',
    pages: [
      { path: '', title: 'Overview', file: 'docs/index.md' },
      start('first-workflow', 'First workflow'),
      start('concepts', 'Concepts'),
      start('definitions', 'Workflows as JSON'),
      doc('why', 'Beside other tools'),
    ],
  },
  {
    title: 'Triggers and responses',
    pages: [
      trigger('webhooks', 'Webhooks'),
      trigger('schedules', 'Schedules'),
      trigger('responses', 'Responses'),
      trigger('forms', 'Forms and approvals'),
      trigger('chat', 'Chat'),
      trigger('polling', 'Polling'),
      trigger('mail', 'Email'),
    ],
  },
  {
    title: 'Build',
    pages: [
      build('expressions', 'Expressions and code'),
      build('execution', 'The run in expressions'),
      build('http', 'HTTP requests'),
      build('private-services', 'Private services'),
      build('errors', 'Errors and retries'),
      build('pins', 'Pinned outputs'),
      build('workflow-tests', 'Tests'),
      build('annotations', 'Rate and keep runs'),
      build('lists', 'List nodes'),
      build('loops', 'Loops and pages'),
      build('convert', 'Conversions'),
      build('servers', 'Servers: SSH, SFTP, FTP'),
      build('ai', 'Language models and agents'),
      build('ai-builder', 'Build with AI'),
      build('mcp', 'Model Context Protocol'),
      build('import-n8n', 'Import from n8n'),
      build('workflow-settings', 'Workflow settings'),
    ],
  },
  {
    title: 'Data',
    pages: [
      data('tables', 'Tables'),
      data('table-node', 'Table node'),
      data('remember', 'Remember node'),
      data('values', 'Values between nodes'),
      data('files', 'Files'),
      data('sql', 'SQL'),
      data('redis', 'Redis'),
    ],
  },
];

const AFTER_NODES: FileSection[] = [
  {
    title: 'Operate',
    pages: [
      operate('configuration', 'Configuration'),
      operate('administration', 'Administration'),
      operate('observability', 'Observability'),
      operate('environments', 'Environments and git'),
      operate('backup', 'Backup and restore'),
      operate('move-workspace', 'Move a workspace'),
      operate('upgrade', 'Upgrade and rollback'),
      operate('sso', 'Single sign-on'),
      operate('sizing', 'Sizing'),
      operate('scaling', 'Scaling'),
      operate('database-tls', 'TLS to PostgreSQL'),
      operate('failover', 'Failover of PostgreSQL'),
      operate('recovery', 'Point-in-time recovery'),
      operate('pooler', 'Connection pooler'),
      operate('egress', 'Outgoing connections'),
      operate('security', 'Security'),
      operate('rights', 'Rights'),
      doc('limits', 'Limits'),
      doc('performance', 'Performance'),
    ],
  },
  {
    title: 'Develop',
    pages: [
      doc('rest-api', 'REST API'),
      doc('client', 'TypeScript client'),
      doc('cli', 'Command line'),
      doc('architecture', 'Architecture'),
      { path: 'contributing', title: 'Contributing', file: 'CONTRIBUTING.md' },
      { path: 'decisions', title: 'Decisions', file: 'docs/decisions/README.md' },
      doc('dependencies', 'Dependencies'),
      doc('licenses', 'Third-party licences'),
      { path: 'changelog', title: 'Changelog', file: 'CHANGELOG.md' },
      { path: 'reporting', title: 'Report a vulnerability', file: 'SECURITY.md' },
    ],
  },
];

/** First in the section of the connectors. */
const CONNECTING = build('connecting', 'Connecting accounts');
const OPENAPI = build('openapi-connectors', 'Connectors from OpenAPI');

/** A decision: `decisions/0001-name`. */
export const DECISION = /^decisions\/\d{4}-[a-z0-9-]+$/;

/** The page of a file, if it is a decision. */
export const decisionPath = (file: string): string | undefined => {
  const page = file.replace(/^docs\//, '').replace(/\.md$/, '');
  return DECISION.test(page) ? page : undefined;
};

export const NODES = 'nodes/';
export const CONNECTORS = 'connectors/';

/** Pages that are files, in the order of the navigation. Decisions are further files, which their list links to. */
export const filePages: FilePage[] = [
  ...[...BEFORE_NODES, ...AFTER_NODES].flatMap(({ pages }) => pages),
  CONNECTING,
  OPENAPI,
];

/** The guide that explains a node type in full, by type. */
export const GUIDES: Readonly<Record<string, { path: string; title: string }>> = Object.fromEntries(
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
    ssh: 'servers',
    file_transfer: 'servers',
    respond: 'responses',
    wait_for_call: 'execution',
    approval: 'forms',
    code: 'expressions',
    transform: 'expressions',
    connector: 'connecting',
  }).map(([type, path]) => [type, titled(path)]),
);

function titled(path: string): { path: string; title: string } {
  const page = filePages.find((one) => one.path === path);
  if (!page) throw new Error(`There is no page ${path}`);
  return { path, title: page.title };
}

/** The navigation of the site. */
export function sections(): DocumentationSection[] {
  const named = ({ path, title }: FilePage) => ({ path, title });
  const files = ({ title, pages }: FileSection) => ({ title, pages: pages.map(named) });
  return [
    ...BEFORE_NODES.map(files),
    { title: 'Nodes', pages: catalogue().map(({ type, title }) => ({ path: NODES + type, title })) },
    {
      title: 'Connectors',
      pages: [
        named(CONNECTING),
        named(OPENAPI),
        ...connectors.map(({ id, name }) => ({ path: CONNECTORS + id, title: name })),
      ],
    },
    ...AFTER_NODES.map(files),
  ];
}
