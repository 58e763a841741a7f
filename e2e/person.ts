import { expect, type Browser, type BrowserContext, type Locator, type Page, type TestInfo } from '@playwright/test';

export interface Person {
  email: string;
  password: string;
}

/** The owner that the worker of this index signs in as. The service is started with the first one. */
export const ownerOf = (index: number): Person => ({
  email: index === 0 ? 'owner@example.com' : `owner-${index}@example.com`,
  password: 'Owner-Password-1234',
});

/** The owner of this worker's workspace. */
export const OWNER = ownerOf(Number(process.env.TEST_PARALLEL_INDEX ?? 0));

/** Whether the tour is pending, by email, as this worker last set it. Avoids repeated calls. */
const newcomers = new Map<string, boolean>();

async function beNewcomer(page: Page, person: Person, isNew: boolean): Promise<void> {
  if (newcomers.get(person.email) === isNew) return;
  const login = await page.request.post('/api/auth/login', { data: person });
  // A test of a user who cannot sign in.
  if (!login.ok()) return;
  const { accessToken } = (await login.json()) as { accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  await page.request.put('/api/auth/preferences', { headers, data: { isTourOver: !isNew } });
  newcomers.set(person.email, isNew);
}

/** Fills in the sign-in form once the page is hydrated. `isNew`: the user has not seen the tour. */
export async function signIn(page: Page, person = OWNER, isNew = false): Promise<void> {
  const { email, password } = person;
  await beNewcomer(page, person, isNew);
  await page.goto('/login');
  const button = page.getByRole('button', { name: 'Sign in' });
  await expect(button).toBeEnabled();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button.click();
}

/** The same by keyboard. */
export async function enterByKeys(page: Page): Promise<void> {
  await beNewcomer(page, OWNER, false);
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(OWNER.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(OWNER.password);
  await page.keyboard.press('Enter');
  await arrive(page);
}

/** Moves the focus to an element by the Tab key. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let left = 60; left > 0 && !(await isThere()); left -= 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

/** Waits for the list of workflows, and until it is loaded. */
async function arrive(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy]')).toHaveCount(0);
}

/** The cookies of the owner's session, from the first test of this worker that signed in. */
let session: Awaited<ReturnType<BrowserContext['cookies']>> | undefined;

/** Gives the browser the session of the owner, without a page: only the first test of a worker fills in the form. */
export async function takeSession(page: Page): Promise<void> {
  if (session) {
    await beNewcomer(page, OWNER, false);
    await page.context().addCookies(session);
  } else {
    await enterByForm(page);
    session = await page.context().cookies();
  }
}

/** Opens a page as the owner. */
export async function enterAt(page: Page, path: string): Promise<void> {
  await takeSession(page);
  await page.goto(path);
}

/** Opens the first page as the owner, and waits for it. */
export async function enter(page: Page): Promise<void> {
  await enterAt(page, '/workflows');
  await arrive(page);
}

/**
 * Removes the session from the browser, after it has left the page: a page without a session goes to the sign-in
 * itself.
 */
export async function dropSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Signs in by the form, for a test that ends its session. */
export async function enterByForm(page: Page): Promise<void> {
  await signIn(page);
  await arrive(page);
}

/** Shows the workflows of a name alone. Until other rows are gone, those of the name still move. */
export async function findWorkflow(page: Page, name: string): Promise<void> {
  await page.getByLabel('Search workflows').fill(name);
  await expect(page.getByRole('link', { name }).first()).toBeVisible();
  await expect(page.locator('tbody tr').filter({ hasNotText: name })).toHaveCount(0);
}

/** Shows the workflow that a new workspace begins with. The list may hold more workflows than one page. */
export const findWelcome = (page: Page): Promise<void> => findWorkflow(page, 'Welcome');

/** Opens the workflow that a new workspace begins with. */
export async function openWelcome(page: Page): Promise<void> {
  await findWelcome(page);
  await page.getByRole('link', { name: 'Welcome' }).click();
  await expect(page.getByRole('group', { name: 'Ask a person' })).toBeVisible();
}

/** Whether the tests leave pictures, for a person who looks at them. */
export const HAS_PICTURES = process.env.E2E_PICTURES === 'true';

/** Keeps a picture of the page among the artifacts of the test run, if they are wanted. */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  if (HAS_PICTURES) await page.screenshot({ path: info.outputPath(`${name}.png`), animations: 'disabled' });
}

/** The authorization header of the owner, for calls of the API. */
export const asOwner = async (page: Page) => {
  const answer = await page.request.post('/api/auth/login', { data: OWNER });
  const { accessToken } = (await answer.json()) as { accessToken: string };
  return { authorization: `Bearer ${accessToken}` };
};

/** A member of the owner's workspace, who opens an address in a separate browser. */
export async function joinedBy(
  page: Page,
  browser: Browser,
  name: string,
  address: string,
  role = 'editor',
): Promise<Page> {
  const headers = await asOwner(page);
  const me = await page.request.get('/api/auth/me', { headers });
  const { workspaces } = (await me.json()) as { workspaces: { id: string }[] };
  const person = { email: `guest-${Date.now()}@example.com`, password: 'a phrase for guests' };
  const members = `/api/workspaces/${workspaces[0]?.id}/members`;
  const invited = await page.request.post(members, { headers, data: { email: person.email, role } });
  const token = new URL(((await invited.json()) as { inviteUrl: string }).inviteUrl).searchParams.get('token');
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const own = await context.newPage();
  const joined = await own.request.post('/api/auth/accept-invite', {
    data: { token, name, password: person.password },
  });
  expect(joined.status()).toBe(200);
  await signIn(own, person);
  await expect(own.getByRole('heading', { name: 'Workflows', exact: true })).toBeVisible();
  await own.goto(address);
  return own;
}

/** Creates a workflow over the API, opens it, and returns its id. */
export async function makeWorkflow(page: Page, name: string, definition: object): Promise<string> {
  const answer = await page.request.post('/api/workflows', {
    headers: await asOwner(page),
    data: { name, definition },
  });
  const { id } = (await answer.json()) as { id: string };
  await page.goto(`/workflows/${id}`);
  await expect(page.getByLabel('Name of the workflow')).toHaveValue(name);
  return id;
}

/** Runs a workflow over the API to its end, and returns the id of the run. */
export async function runWorkflow(page: Page, id: string): Promise<string> {
  const headers = await asOwner(page);
  const answer = await page.request.post(`/api/workflows/${id}/execute`, { headers, data: {} });
  const { executionId } = (await answer.json()) as { executionId: string };
  const status = async () => {
    const run = await page.request.get(`/api/executions/${executionId}`, { headers });
    return ((await run.json()) as { status: string }).status;
  };
  await expect.poll(status).toMatch(/completed|failed/);
  return executionId;
}
