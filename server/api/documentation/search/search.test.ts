import { expect, it } from 'vitest';
import { readDocumentationPage, searchDocumentation } from '..';

/**
 * Questions as users ask them, written before the search was made → pages, one of which must be among the first three.
 */
const QUESTIONS: readonly [question: string, ...pages: string[]][] = [
  ['how do I run this on kubernetes', 'scaling'],
  ['azure ad login', 'sso'],
  ['retry a failed step', 'errors'],
  ['maximum file size', 'limits', 'files'],
  ['rotate encryption key', 'configuration'],
  ['call my workflow from python', 'rest-api'],
  ['while loop', 'loops', 'nodes/repeat'],
  ['high availability', 'scaling', 'failover'],
  ['what license', 'licenses'],
  ['import from n8n', 'import-n8n'],
  ['postgres behind pgbouncer', 'pooler'],
  ['webhook signature', 'webhooks'],
  ['cron every 5 minutes', 'schedules'],
  ['email me when a workflow fails', 'workflow-settings'],
  ['i forgot my password', 'administration'],
  ['delete old executions automatically', 'administration', 'workflow-settings', 'configuration'],
  ['connect to my own database', 'private-services', 'sql'],
  ['list of environment variables', 'configuration'],
  ['where are api keys and secrets stored', 'security', 'connecting'],
  ['use chatgpt in a workflow', 'ai'],
  ['wait for somebody to approve', 'forms', 'nodes/approval'],
  ['run branches in parallel', 'concepts'],
  ['prometheus metrics', 'observability'],
  ['docker compose', 'scaling'],
  ['restore a backup', 'backup'],
  ['invite a team member', 'administration', 'rights'],
  ['too many requests 429', 'limits', 'rest-api'],
  ['loop over rows of a csv', 'loops', 'nodes/for_each'],
  ['cancel a running execution', 'concepts'],
  ['call another workflow', 'nodes/sub_workflow'],
  ['write javascript code', 'expressions', 'nodes/code'],
  ['corporate proxy', 'egress', 'private-services'],
  ['dev staging production', 'environments'],
  ['websocket live updates', 'client'],
  ['two factor authentication', 'security', 'administration'],
  ['return a custom response from a webhook', 'responses', 'nodes/respond'],
  ['timeout for a step', 'errors', 'definitions'],
  ['remember a value between runs', 'remember', 'nodes/remember'],
  ['typescript sdk', 'client'],
  ['how much memory does it need', 'sizing'],
  ['schedule', 'schedules'],
  ['cron', 'schedules'],
  ['how do I run something every monday at 9', 'schedules'],
  ['run a workflow every hour', 'schedules'],
  ['limit how many runs happen at the same time', 'workflow-settings'],
  ['max parallel runs of a workflow', 'workflow-settings'],
  ['delete old executions', 'workflow-settings', 'administration', 'configuration'],
  ['can I put it behind nginx', 'scaling'],
  ['how to debug a failed step', 'errors', 'first-workflow'],
  ['how do I see why a run failed', 'errors', 'first-workflow'],
  ['two people editing the same workflow', 'concepts'],
  ['air gapped install without internet', 'scaling'],
  ['how big can a file be', 'limits', 'files'],
];

it.each(QUESTIONS)('answers “%s” with one of the first three pages', async (question, ...pages) => {
  const first = (await searchDocumentation(question)).slice(0, 3).map(({ path }) => path);
  expect(
    pages.filter((page) => first.includes(page)),
    first.join(', '),
  ).not.toEqual([]);
});

it('leads to sections that exist, each page once', async () => {
  const hits = (await Promise.all(QUESTIONS.map(([question]) => searchDocumentation(question)))).flat();
  for (const { path, address } of hits) {
    const [page = '', anchor] = address.split('#');
    expect(page).toBe(path === '' ? '/docs' : `/docs/${path}`);
    if (anchor !== undefined) expect((await readDocumentationPage(path))?.html, address).toContain(` id="${anchor}"`);
  }
  const pages = (await searchDocumentation('workflow')).map(({ path }) => path);
  expect(new Set(pages).size).toBe(pages.length);
});

it('answers while a word is being typed, and when it is misspelt', async () => {
  const paths = async (search: string) => (await searchDocumentation(search)).slice(0, 3).map(({ path }) => path);
  for (const typed of ['web', 'webh', 'webhoo', 'webhooks']) expect(await paths(typed), typed).toContain('webhooks');
  expect(await paths('kubernets')).toEqual(await paths('kubernetes'));
  expect(await paths('Konfiguration')).toContain('configuration');
});

it('shows the part of the page that has the words, and which words these are', async () => {
  const [hit] = await searchDocumentation('rotated signing key');
  expect(hit).toBeDefined();
  expect(hit?.marks.length).toBeGreaterThan(0);
  const shown = `${hit?.title} ${hit?.heading} ${hit?.excerpt}`.toLowerCase();
  for (const mark of hit?.marks ?? []) expect(shown).toContain(mark);
  expect(hit?.excerpt.length).toBeLessThan(250);
});

it('finds nothing for words that no page has, and reads only the beginning of a long search', async () => {
  for (const search of ['', '  ', '§§', 'zzzzqqqq', 'x'.repeat(100_000)])
    expect(await searchDocumentation(search)).toEqual([]);
  expect(await searchDocumentation(`webhooks ${'polling '.repeat(100_000)}`)).not.toEqual([]);
});
