import { expect } from 'vitest';
import { encode } from 'next-auth/jwt';
import type { FormTrigger } from '@/contract/triggers/form';
import type { FormField } from '@/contract/triggers/form-fields';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { sessionCookieSecret, SESSION_COOKIE_NAME } from '@/server/people/auth/browser-session';
import { Browser } from './browser';
import { buildUser, buildWorkflow, call, type Answer, type Refused, type TestUser } from './factories';

/** A form, and the owner of its workflow. */
export interface TestForm {
  user: TestUser;
  workflowId: string;
  form: FormTrigger;
  /** The path of its page. */
  page: string;
}

const SETTINGS = {
  path: 'ask',
  title: 'Ask',
  fields: [] as FormField[],
  access: 'public',
  response: { mode: 'message', message: 'Thank you' },
};

export const createForm = (
  { token }: TestUser,
  workflowId: string,
  settings: object = {},
): Promise<Answer<FormTrigger & Refused>> =>
  call('POST', `/api/workflows/${workflowId}/forms`, { token, body: { ...SETTINGS, ...settings } });

export async function buildForm(
  settings: object = {},
  { definition, status = 'active' }: { definition?: WorkflowDefinition; status?: string } = {},
): Promise<TestForm> {
  const user = await buildUser();
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, status, definition });
  const { status: created, body: form } = await createForm(user, workflowId, settings);
  expect(created, JSON.stringify(form)).toBe(201);
  return { user, workflowId, form, page: new URL(form.url).pathname };
}

/** A browser in which the person is signed in. */
export async function signedIn({ sessionId }: TestUser): Promise<Browser> {
  const browser = new Browser();
  browser.cookies.set(SESSION_COOKIE_NAME, await encode({ token: { sessionId }, secret: sessionCookieSecret() }));
  return browser;
}

export const tokenIn = (page: string): string => /name="_token" value="([^"]*)"/.exec(page)?.[1] ?? '';

/** Opens the page and posts it, as a browser does. Several values of a name are a list. */
export async function fillIn(browser: Browser, page: string, values: Record<string, string | string[]> = {}) {
  const { text } = await browser.go('GET', page);
  return post(browser, page, { _token: tokenIn(text), _website: '', ...values });
}

export const post = (browser: Browser, page: string, values: Record<string, string | string[]>) =>
  browser.go('POST', page, {
    form: Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  });
