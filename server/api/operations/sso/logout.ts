import { z } from 'zod';
import { defineOperation, publicAccess, type OperationCall } from '@/server/api/operation/operation';
import { contentReply, rawBody, submitEffect } from '@/server/api/operation/operation-parts';
import { parseSingleFields } from '@/server/api/operation/form';
import { appendAuditEntries } from '@/server/people/audit/record';
import type { DatabaseClient } from '@/server/platform/db/client';
import { runCallInTransaction } from '@/server/platform/db/transaction';
import { invalidFieldProblem } from '@/server/platform/errors/problem';
import { isFromOwnPage } from '@/server/people/auth/browser-session';
import { logoutConfirmation } from '@/server/people/sso/saml-confirm';
import type { SamlLogoutRequest } from '@/server/people/sso/saml-logout';
import { endLoginSession } from '@/server/people/auth/session';
import { redirectResponse } from '@/server/people/sso/sign-in-response';

/** Loads the SAML library only when somebody signs out, so that processes start without it. */
const loadSamlLogout = () => import('@/server/people/sso/saml-logout');

const SSO_LOGOUT_TAG = 'Single sign-on';

const samlLogoutOperation = defineOperation({
  id: 'sso.logout',
  method: 'GET',
  path: '/auth/saml/logout',
  summary: 'End a SAML login, here and at the provider',
  description:
    'For the signed-in browser: a link of this service’s own pages ends the session, any other link leads to a page that asks ' +
    'first. Also takes a provider’s signed logout request and its answer to ours.',
  tag: SSO_LOGOUT_TAG,
  access: publicAccess(),
  effect: submitEffect('authentication'),
  query: z.looseObject({
    provider: z.string().max(100).optional().describe('The id of the sign-in provider'),
    SAMLRequest: z.string().optional().describe('A request of the provider (SAML 2.0, HTTP-Redirect binding)'),
    SAMLResponse: z.string().optional().describe('An answer of the provider (SAML 2.0, HTTP-Redirect binding)'),
  }),
  reply: contentReply({ status: 302, description: 'To the provider, or to the sign-in page.' }),
  otherReplies: [{ status: 200, mediaTypes: ['text/html'], description: 'The page that asks.' }],
  async run(call, { query }) {
    const { db, person, headers, rawQuery } = call;
    const { provider, SAMLRequest, SAMLResponse } = query;
    if (SAMLResponse) return acceptLogoutResponse(SAMLResponse, true);
    if (SAMLRequest) {
      const relayState = query['RelayState'] === undefined ? '' : String(query['RelayState']);
      const request = { providerId: provider ?? '', message: SAMLRequest, relayState, rawQuery };
      return logOutByProvider(call, request);
    }
    if (!person?.sessionId) return redirectResponse('/login');
    // CSRF: any site can put a link into a page or a mail, and a browser that follows it sends the cookie.
    if (!headers.has('authorization') && !isFromOwnPage(headers)) {
      const { providerLogoutUrl } = await loadSamlLogout();
      return logoutConfirmation(await providerLogoutUrl(db, person.sessionId));
    }
    return logOutBrowser(call, person.sessionId);
  },
});

const samlLogoutFormOperation = defineOperation({
  id: 'sso.logoutForm',
  method: 'POST',
  path: '/auth/saml/logout',
  summary: 'Take a SAML provider’s logout request, a form, or end the signed-in browser’s own login',
  tag: SSO_LOGOUT_TAG,
  access: publicAccess(),
  effect: submitEffect('authentication'),
  body: rawBody(),
  query: z.strictObject({ provider: z.string().max(100).optional().describe('The id of the sign-in provider') }),
  reply: contentReply({ status: 302, description: 'To the provider, or to the sign-in page.' }),
  async run(call, { query: { provider = '' } }) {
    const { SAMLRequest, SAMLResponse, RelayState = '' } = parseSingleFields(call);
    if (SAMLResponse) return acceptLogoutResponse(SAMLResponse, false);
    if (!SAMLRequest && call.person?.sessionId) return logOutBrowser(call, call.person.sessionId);
    if (!SAMLRequest) throw invalidFieldProblem('SAMLRequest', 'is required');
    return logOutByProvider(call, { providerId: provider, message: SAMLRequest, relayState: RelayState });
  },
});

/** Checks a provider's response to our own logout request. */
async function acceptLogoutResponse(message: string, isPacked: boolean): Promise<Response> {
  const { checkLogoutResponse: checkLogoutAnswer } = await loadSamlLogout();
  checkLogoutAnswer(message, isPacked);
  return redirectResponse('/login');
}

/** Ends sessions, as a provider asks. Its message is read before a transaction begins, because that can take long. */
async function logOutByProvider(call: OperationCall, request: SamlLogoutRequest): Promise<Response> {
  const { readSamlLogoutRequest: readLogoutRequest } = await loadSamlLogout();
  const { onward, endSessions } = await readLogoutRequest(call.db, request);
  await changeWithAuditEntry(call, endSessions);
  return redirectResponse(onward);
}

/** Ends the browser's session, and redirects to the provider's logout. */
async function logOutBrowser(call: OperationCall, sessionId: string): Promise<Response> {
  call.note({ resourceId: sessionId });
  const { providerLogoutUrl } = await loadSamlLogout();
  const onward = await providerLogoutUrl(call.db, sessionId);
  await changeWithAuditEntry(call, (db) => endLoginSession(db, sessionId));
  return redirectResponse(onward ?? '/login');
}

/** Makes a change and its audit entry in one transaction. */
const changeWithAuditEntry = (call: OperationCall, change: (db: DatabaseClient) => Promise<unknown>): Promise<void> =>
  runCallInTransaction(true, async (db) => {
    await change(db);
    await appendAuditEntries(db, [call.auditEntry()]);
  });

export const ssoLogoutOperations = [samlLogoutOperation, samlLogoutFormOperation];
