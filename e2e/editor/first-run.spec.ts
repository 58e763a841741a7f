import { expect } from '@playwright/test';
import { OWNER, enter, findWelcome, openWelcome, picture, signIn, takeSession } from '../person';
import { test } from '../test';

// Animations run, unlike in the other tests.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('from the sign-in to a finished run, watched live', async ({ page }, info) => {
  await enter(page);
  await picture(page, info, 'workflows');

  await openWelcome(page);
  await picture(page, info, 'editor');
  await page.getByRole('button', { name: 'Run', exact: true }).click();

  const run = page.getByRole('complementary', { name: 'Run' });
  const decision = run.getByRole('region', { name: 'Approval: Ask a person' });
  await expect(decision).toContainText('Accept the order of a first visitor over 250?');
  await expect(page.getByRole('group', { name: 'Ask a person' })).toContainText('Waiting');
  await expect(page.getByRole('group', { name: 'Call a service' })).toContainText('Queued');
  await picture(page, info, 'waiting');

  await decision.getByLabel('Comment').fill('Looks right to me');
  await decision.getByRole('button', { name: 'Approve' }).click();
  await expect(decision).toBeHidden();
  await expect(page.getByRole('group', { name: 'Send the confirmation' })).toContainText('Done');
  await expect(page.getByRole('group', { name: 'Send the refusal' })).toContainText('Skipped');
  await expect(run.getByText('Done').first()).toBeVisible();
  await expect(run.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await picture(page, info, 'done');

  await run.getByRole('button', { name: /Ask a person/ }).click();
  await page.getByRole('tab', { name: 'Result' }).click();
  await expect(page.getByRole('group', { name: 'Output' })).toContainText('Looks right to me');
  await picture(page, info, 'node-result');

  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('row', { name: /Welcome/ }).first()).toContainText('Done');
  await picture(page, info, 'executions');
  await page
    .getByRole('row', { name: /Welcome/ })
    .first()
    .getByRole('link')
    .click();
  await expect(page.getByRole('complementary', { name: 'Run' })).toContainText('Send the confirmation');
  await page.getByRole('tab', { name: 'Logs' }).click();
  await expect(page.getByText('The run has completed')).toBeVisible();
  await picture(page, info, 'execution');

  await page.getByRole('link', { name: 'Outbox' }).click();
  await page
    .getByRole('button', { name: /Order of a first visitor accepted/ })
    .first()
    .click();
  await expect(page.getByText('the order of a first visitor over 250 is accepted')).toBeVisible();
  await picture(page, info, 'outbox');
});

test('a recipient without an account decides once by the link in a mail', async ({ page, request, browser }, info) => {
  const tokens = await request.post('/api/auth/login', { data: OWNER });
  const { accessToken } = (await tokens.json()) as { accessToken: string };
  const headers = { authorization: `Bearer ${accessToken}` };
  const ask = { message: 'Pay {{ input.sum * 2 }} euros?', assignees: ['boss@example.com'] };
  const definition = {
    nodes: [
      { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
      { id: 'ask', type: 'approval', position: { x: 300, y: 0 }, config: ask },
    ],
    connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'ask', targetPort: 'input' }],
  };
  const made = await request.post('/api/workflows', { headers, data: { name: 'Payment', definition } });
  const { id } = (await made.json()) as { id: string };
  const started = await request.post(`/api/workflows/${id}/execute`, { headers, data: { input: { sum: 21 } } });
  const { executionId } = (await started.json()) as { executionId: string };

  await takeSession(page);
  await page.goto(`/executions/${executionId}`);
  const decision = page.getByRole('region', { name: /Approval/ });
  await expect(decision).toContainText('Pay 42 euros?');
  // From the editor, too: the navigation leads to runs that wait, and the run in progress is shown.
  await page.goto(`/workflows/${id}`);
  await expect(page.getByRole('link', { name: /for a decision$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(decision).toContainText('Pay 42 euros?');
  await picture(page, info, 'waiting');
  await page.goto('/outbox');
  await page
    .getByRole('button', { name: /Please decide: Pay 42 euros\?/ })
    .first()
    .click();
  const link = /https?:\S+\/decide#\S+/.exec((await page.getByText('Approve or reject here').textContent()) ?? '')?.[0];

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link ?? '');
  await expect(stranger.getByText('Pay 42 euros?')).toBeVisible();
  await expect(stranger.getByText('Your decision is recorded for boss@example.com.')).toBeVisible();
  await stranger.getByLabel('Comment').fill('Go ahead');
  await picture(stranger, info, 'decide');
  await stranger.getByRole('button', { name: 'Approve' }).click();
  await expect(stranger.getByRole('status')).toContainText('This request was approved.');
  await stranger.reload();
  await expect(stranger.getByRole('status')).toContainText('This request was approved.');
  await expect(stranger.getByRole('button', { name: 'Approve' })).toBeHidden();
  await picture(stranger, info, 'decided');

  const ended = async () => (await request.get(`/api/executions/${executionId}`, { headers })).json();
  await expect
    .poll(ended)
    .toMatchObject({ status: 'completed', output: { decision: 'approved', comment: 'Go ahead' } });
});

test('a run that is cancelled while it waits', { tag: '@long' }, async ({ page }, info) => {
  await enter(page);
  await findWelcome(page);
  await page.getByRole('button', { name: 'Run Welcome' }).click();
  const run = page.getByRole('complementary', { name: 'Run' });
  await expect(run.getByRole('region', { name: /Approval/ })).toBeVisible();
  await run.getByRole('button', { name: 'Cancel' }).click();
  await expect(run.getByText('CANCELLED', { exact: true })).toBeVisible();
  await expect(run.getByRole('region', { name: /Approval/ })).toBeHidden();
  await picture(page, info, 'cancelled');
  await page.goto('/workflows');
  await findWelcome(page);
  await page
    .getByRole('row', { name: /Welcome/ })
    .first()
    .getByRole('link', { name: 'Last run: Failed' })
    .click();
  await expect(page).toHaveURL(/\/executions\/exec_/);
});

test('a new user sees the tour once, in any browser, by keyboard only', async ({ page }, info) => {
  await signIn(page, OWNER, true);
  await openWelcome(page);
  const tour = page.getByRole('dialog', { name: 'Tour' });
  await expect(tour.getByRole('button', { name: 'Next' })).toBeFocused();
  await picture(page, info, 'tour-1');
  for (const title of ['Configure nodes', 'Run the workflow', 'Add triggers']) {
    await page.keyboard.press('Enter');
    await expect(tour).toContainText(title);
    await picture(page, info, `tour-${title}`);
  }
  await expect(tour.getByRole('button', { name: 'Done' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tour).toBeHidden();
  const me = async () => (await page.request.get('/api/auth/me')).json();
  await expect.poll(me).toMatchObject({ user: { preferences: { isTourOver: true } } });
  await page.reload();
  await expect(page.getByRole('group', { name: 'Ask a person' })).toBeVisible();
  await expect(tour).toBeHidden();
});
