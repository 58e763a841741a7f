import { expect, type Page } from '@playwright/test';
import { expectAccessible, violations } from '../axe';
import { asOwner, makeWorkflow, picture, takeSession } from '../person';
import { test } from '../test';

const DEFINITION = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    {
      id: 'ask',
      type: 'approval',
      name: 'Decide',
      position: { x: 300, y: 0 },
      config: {
        message: '{{ input.email }} asks for {{ input.days }} days.',
        form: {
          fields: [
            { name: 'substitute', label: 'Substitute', kind: 'text', required: true },
            { name: 'paid', label: 'Paid leave', kind: 'checkbox' },
          ],
        },
      },
    },
  ],
  connections: [{ sourceNode: 'start', sourcePort: 'output', targetNode: 'ask', targetPort: 'input' }],
};

/**
 * Makes the form in the editor, with the keyboard where the order of fields changes. Answers the address of its page.
 */
async function makeForm(page: Page): Promise<string> {
  await page.getByRole('group', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Forms, chats, webhooks and schedules' }).click();
  await expect(page.getByText('There are no forms yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add form' }).click();
  const dialog = page.getByRole('form', { name: 'New form' });
  await dialog.getByLabel('Title').fill('Request days off');
  await dialog.getByLabel('Path').fill('Days off');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  const second = dialog.getByRole('group', { name: /^Field 2/ });
  await second.getByLabel('Label').fill('Days');
  await second.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Number', exact: true }).click();
  await second.getByLabel('Required').check();
  await second.getByRole('button', { name: 'Move Days up' }).press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Days is now field 1 of 2');
  await expect(dialog.getByRole('button', { name: 'Move Days down' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Add form' }).click();
  await expect(dialog.getByText('must be segments of')).toBeVisible();
  await dialog.getByLabel('Path').fill('days-off');
  await dialog.getByRole('button', { name: 'Add form' }).click();
  const card = page.getByRole('article', { name: 'Form days-off' });
  await expect(card).toContainText('2 fields · Anyone · Shows a message');
  return (await card.getByRole('link', { name: 'Open the page' }).getAttribute('href')) ?? '';
}

test('a form is made, sent without JavaScript, and its approval asks for fields', async ({ page, browser }, info) => {
  test.slow();
  await takeSession(page);
  const id = await makeWorkflow(page, 'Days off', DEFINITION);
  const url = await makeForm(page);
  const headers = await asOwner(page);
  const activated = await page.request.put(`/api/workflows/${id}`, { headers, data: { status: 'active' } });
  expect(activated.status()).toBe(200);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const visitor = await context.newPage();
  await visitor.goto(url);
  await visitor.getByLabel('Days').fill('3');
  await visitor.getByLabel('Email').fill('nobody');
  await visitor.getByRole('button', { name: 'Send' }).click();
  await expect(visitor.getByRole('alert')).toContainText('Email must be an email address');
  await expect(visitor.getByLabel('Email')).toBeFocused();
  await expect(visitor.getByLabel('Email')).toHaveAccessibleDescription('This field must be an email address.');
  await expect(visitor.getByLabel('Days')).toHaveValue('3');
  await visitor.getByLabel('Email').fill('ada@example.com');
  await visitor.getByRole('button', { name: 'Send' }).click();
  await expect(visitor.getByText('Thank you. Your answer was received.')).toBeVisible();
  await context.close();

  const { data } = (await (await page.request.get(`/api/executions?workflowId=${id}`, { headers })).json()) as {
    data: { id: string; trigger: string }[];
  };
  expect(data).toMatchObject([{ trigger: 'form' }]);
  await page.goto(`/executions/${data[0]?.id}`);
  const approval = page.getByRole('region', { name: 'Approval: Decide' });
  await expect(approval).toContainText('ada@example.com asks for 3 days.');
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(approval.getByText('is required')).toBeVisible();
  await expectAccessible(page, info, 'approval');
  await approval.getByLabel('Substitute').fill('Bo');
  await approval.getByLabel('Paid leave').check();
  await approval.getByRole('button', { name: 'Approve' }).click();
  await expect(approval).toHaveCount(0);
  await expect
    .poll(async () => {
      const answer = await page.request.get(`/api/executions/${data[0]?.id}`, { headers });
      return ((await answer.json()) as { output?: unknown }).output;
    })
    .toMatchObject({ decision: 'approved', data: { substitute: 'Bo', paid: true } });

  // The page of the form and its settings, as they look.
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(url);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => violations(page)).toEqual([]);
    await picture(page, info, `form-page-${colorScheme}`);
  }
  await page.goto(`/workflows/${id}`);
  await page.getByRole('button', { name: 'Triggers' }).click();
  await page.getByRole('button', { name: 'Edit form days-off' }).click();
  await expect(page.getByRole('form', { name: 'Form days-off' })).toBeVisible();
  await expectAccessible(page, info, 'form-dialog');
  const overflow = await page
    .getByRole('form', { name: 'Form days-off' })
    .evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete form days-off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('There are no forms yet.')).toBeVisible();
});

const PAGES_DEFINITION = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, config: {} },
    {
      id: 'size',
      type: 'form_page',
      name: 'Ask for the size',
      position: { x: 300, y: 0 },
      config: {
        title: 'Which size?',
        description: 'For {{ input.person }}',
        buttonText: 'Order',
        form: {
          fields: [{ name: 'size', label: 'Size', kind: 'select', options: ['Small', 'Large'], required: true }],
        },
      },
    },
    {
      id: 'thanks',
      type: 'form_ending',
      name: 'Thank them',
      position: { x: 600, y: 0 },
      config: { title: 'Ordered', message: '{{ nodes.start.person }} gets {{ input.size }}.' },
    },
  ],
  connections: [
    { sourceNode: 'start', sourcePort: 'output', targetNode: 'size', targetPort: 'input' },
    { sourceNode: 'size', sourcePort: 'output', targetNode: 'thanks', targetPort: 'input' },
  ],
};

test('a form has a second page and an ending, with JavaScript and without', async ({ page, browser }, info) => {
  test.slow();
  await takeSession(page);
  const id = await makeWorkflow(page, 'Orders', PAGES_DEFINITION);
  const headers = await asOwner(page);
  const data = {
    path: 'order',
    title: 'Order a shirt',
    fields: [{ name: 'person', label: 'Name', kind: 'text' }],
    access: 'public',
    response: { mode: 'message', message: 'Thank you' },
  };
  const made = await page.request.post(`/api/workflows/${id}/forms`, { headers, data });
  const { url } = (await made.json()) as { url: string };
  await page.request.put(`/api/workflows/${id}`, { headers, data: { status: 'active' } });

  for (const javaScriptEnabled of [false, true]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const visitor = await context.newPage();
    await visitor.goto(url);
    await visitor.getByLabel('Name').fill('Ada');
    await visitor.getByRole('button', { name: 'Send' }).press('Enter');
    await expect(visitor.getByRole('heading', { name: 'Which size?' })).toBeVisible();
    await expect(visitor.getByText('For Ada')).toBeVisible();
    await visitor.getByRole('button', { name: 'Order' }).press('Enter');
    await expect(visitor.getByRole('alert')).toContainText('Size is required');
    await visitor.getByLabel('Size').selectOption('Large');
    if (javaScriptEnabled) {
      await visitor.setViewportSize({ width: 375, height: 700 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await visitor.emulateMedia({ colorScheme });
        await expect.poll(() => violations(visitor)).toEqual([]);
        await picture(visitor, info, `second-page-${colorScheme}`);
      }
    }
    await visitor.getByRole('button', { name: 'Order' }).press('Enter');
    await expect(visitor.getByRole('heading', { name: 'Ordered' })).toBeVisible();
    await expect(visitor.getByText('Ada gets Large.')).toBeVisible();
    await visitor.reload();
    await expect(visitor.getByText('Ada gets Large.')).toBeVisible();
    await picture(visitor, info, `ending-${javaScriptEnabled}`);
    await context.close();
  }

  // A run from the editor has no visitor: its page is linked.
  const started = await page.request.post(`/api/workflows/${id}/execute`, {
    headers,
    data: { input: { person: 'Bo' } },
  });
  const { executionId } = (await started.json()) as { executionId: string };
  await page.goto(`/executions/${executionId}`);
  const card = page.getByRole('region', { name: 'Page: Ask for the size' });
  await expect(card).toContainText('Waiting for the visitor: Ask for the size');
  const opening = page.waitForEvent('popup');
  await card.getByRole('link', { name: 'Fill in the page' }).click();
  const visitor = await opening;
  await expectAccessible(page, info, 'waiting-for-visitor');
  await picture(page, info, 'waiting-for-visitor');
  await visitor.getByLabel('Size').selectOption('Small');
  await visitor.getByRole('button', { name: 'Order' }).click();
  await expect(visitor.getByText('Bo gets Small.')).toBeVisible();
  await expect(card).toHaveCount(0);

  await page.goto(`/workflows/${id}`);
  await page.getByRole('group', { name: 'Ask for the size', exact: true }).click();
  await expect(page.getByRole('group', { name: /^Field 1/ })).toBeVisible();
  await expectAccessible(page, info, 'form-page-node');
  await picture(page, info, 'form-page-node');
  await page.getByRole('group', { name: 'Thank them', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await picture(page, info, 'form-ending-node');
});
