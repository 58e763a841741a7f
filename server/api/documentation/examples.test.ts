import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createOperationRouter } from '@/server/api/http/router';
import { operationTable } from '@/server/api/operations';

const read = (file: string) => readFileSync(file, 'utf8');
const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.md') && !file.startsWith('decisions/') ? [`docs/${file}`] : [],
  ),
];

/** Pages with blocks of code → the test that reads the page and does what they say. */
const TESTED: Record<string, string> = {
  'docs/build/ai.md': 'server/workflow/nodes/ai/agent/agent.test.ts',
  'README.md': 'server/api/operations/workflows/examples.test.ts',
  'docs/cli.md': 'clients/clients.test.ts',
  'docs/client.md': 'clients/clients.test.ts',
  'docs/operate/environments.md': 'clients/clients.test.ts',
  'docs/build/convert.md': 'server/workflow/nodes/data/convert.test.ts',
  'docs/start/definitions.md': 'server/api/operations/workflows/documented.test.ts',
  'docs/build/errors.md': 'server/api/operations/workflows/documented.test.ts',
  'docs/build/execution.md': 'server/api/operations/workflows/documented.test.ts',
  'docs/build/expressions.md': 'server/evaluation/evaluator/python.test.ts',
  'docs/data/files.md': 'server/api/operations/files/files.test.ts',
  'docs/triggers/forms.md': 'server/api/operations/workflows/documented.test.ts',
  'docs/triggers/chat.md': 'server/api/operations/chats/conversation.test.ts',
  'docs/build/each.md': 'server/workflow/definition/each.test.ts',
  'docs/build/lists.md': 'server/workflow/nodes/list/lists.test.ts',
  'docs/build/loops.md': 'server/workflow/nodes/flow/repeat.test.ts',
  'docs/build/servers.md': 'server/workflow/nodes/servers.test.ts',
  'docs/build/mcp.md': 'server/api/http/mcp/mcp.test.ts',
  'docs/triggers/mail.md': 'server/triggers/polls/mail.test.ts',
  'docs/triggers/schedules.md': 'server/api/operations/workflows/documented.test.ts',
  'docs/triggers/subscriptions.md': 'server/triggers/subscriptions/subscriptions.test.ts',
  'docs/triggers/polling.md': 'server/triggers/polls/docs.test.ts',
  'docs/data/remember.md': 'server/engine/run/remember.test.ts',
  'docs/rest-api.md': 'server/api/operations/workflows/examples.test.ts',
  'docs/operate/database-tls.md': 'server/operate/boot/database-tls.test.ts',
  'docs/operate/recovery.md': 'server/operate/boot/recovery.test.ts',
  'docs/operate/pooler.md': 'server/testing/servers/pgbouncer.ts',
  'docs/data/mongodb.md': 'server/workflow/nodes/data/mongodb.test.ts',
  'docs/data/redis.md': 'server/workflow/nodes/data/redis.test.ts',
  'docs/data/sql.md': 'server/workflow/nodes/data/sql.test.ts',
  'docs/data/table-node.md': 'server/engine/run/table.test.ts',
  'docs/build/workflow-settings.md': 'server/engine/endings/error-workflow.test.ts',
  'docs/build/workflow-tests.md': 'server/api/operations/workflows/documented.test.ts',
};

/** Pages whose blocks no test of this suite executes → why. */
const UNTESTED: Record<string, string> = {
  'docs/operate/administration.md': 'commands of operators: their tests call what they call',
  'docs/architecture.md': 'pictures',
  'docs/operate/backup.md': 'commands of operators: tests call what they call; deploy:check runs those of containers',
  'docs/start/first-workflow.md': 'npm start: the end-to-end tests do it',
  'docs/operate/move-workspace.md': 'commands of operators: tests call what they call',
  'docs/operate/observability.md': 'settings of Prometheus: check:observability; a line of a log',
  'docs/operate/egress.md': 'variables: server/network/outbound/egress.test.ts tries each of them',
  'docs/operate/scaling.md': 'commands of Docker: deploy:check does what they describe',
};

it('every page with blocks of code is executed by a test, or says why not', () => {
  const withBlocks = pages.filter((page) => read(page).includes('\n```'));
  expect(withBlocks.toSorted()).toEqual([...Object.keys(TESTED), ...Object.keys(UNTESTED)].toSorted());
  const unread = Object.entries(TESTED).filter(([page, test]) => !read(test).includes(page.replace('docs/', '')));
  expect(unread).toEqual([]);
});

it('every operation that a page names by method and path exists', () => {
  const match = createOperationRouter(operationTable);
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/(?:api|auth|webhooks|calls)\/[^`?\s]*)/g)].map(
      ([, method = '', path = '']) => ({ page, method, path }),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  const wrong = named.filter(({ method, path }) => {
    const found = match(method, path.replaceAll(/:\w+|\{[\w.]+\}|<\w+>/g, 'x'));
    return !found || !('operation' in found);
  });
  expect(wrong).toEqual([]);
});

it('every npm command that a page names exists, and every program of the image', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [, listed = ''] = /const COMMANDS = \[([^\]]*)\]/.exec(read('scripts/build.mjs')) ?? [];
  const wrong = [...pages, 'CONTRIBUTING.md', 'SECURITY.md'].flatMap((page) => {
    const text = read(page);
    const commands = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].flatMap(([, name = '']) =>
      scripts[name] ? [] : [name],
    );
    const programs = [...text.matchAll(/dist\/([a-z-]+)\.mjs/g)].flatMap(([, name = '']) =>
      ['server', 'supervisor', 'evaluator', 'health'].includes(name) || listed.includes(`'${name}'`) ? [] : [name],
    );
    return [...commands, ...programs].map((name) => `${page}: ${name}`);
  });
  expect(wrong).toEqual([]);
});
