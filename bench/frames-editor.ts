import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import type { Cluster } from '../server/testing/cluster';
import { reopen, type Graph, type Opened } from './frames-graph';
import { freePort, startProgram } from './program';

const OWNER = { email: 'owner@example.com', password: 'Owner-Password-1234' };

/** Starts the production build on a separate database. */
export async function startService(cluster: Cluster) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const program = await startProgram(['dist/server.mjs'], {
    DATABASE_URL: cluster.url,
    DATA_DIR: cluster.dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    ADMIN_EMAIL: OWNER.email,
    ADMIN_PASSWORD: OWNER.password,
    BCRYPT_COST: '4',
    RATE_LIMIT_TIER: 'unlimited',
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  });
  return { origin, stop: () => program.stop() };
}

/** Stores a graph as a workflow and opens it with a warm browser cache. */
export async function openEditor(browser: Browser, origin: string, graph: Graph): Promise<Opened> {
  const { page, post } = await signIn(browser, { baseURL: origin, viewport: { width: 1440, height: 900 } });
  const { id } = await post<{ id: string }>('/api/workflows', {
    name: `${graph.nodes.length} nodes`,
    definition: graph,
  });
  await page.goto(`/workflows/${id}`);
  return { page, openMs: await reopen(page) };
}

/** A page of the owner, and calls of the API as the owner. */
export async function signIn(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<{ page: Page; post<Body>(path: string, data: object): Promise<Body> }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const login = await page.request.post('/api/auth/login', { data: OWNER });
  const { accessToken }: { accessToken: string } = await login.json();
  const headers = { authorization: `Bearer ${accessToken}` };
  await page.request.put('/api/auth/preferences', { headers, data: { isTourOver: true } });
  await page.goto('/login');
  await page.locator('button[type=submit]:enabled').waitFor();
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/workflows');
  return {
    page,
    async post<Body>(path: string, data: object) {
      const answer = await page.request.post(path, { headers, data });
      if (!answer.ok()) throw new Error(`POST ${path} was refused: ${await answer.text()}`);
      return (await answer.json()) as Body;
    },
  };
}
