import { z } from 'zod';
import { operation, publicAccess, type Call } from '@/server/api/operation';
import { contentReply, rawBody, submitEffect } from '@/server/api/operation-parts';
import { readSingleFields } from '@/server/api/form';
import { record } from '@/server/audit/record';
import type { Db } from '@/server/db/client';
import { callTransaction } from '@/server/db/transaction';
import { invalidField } from '@/server/errors/problem';
import { isAskedHere } from '@/server/auth/browser-session';
import { confirmation } from '@/server/sso/saml-confirm';
import type { LogoutRequest } from '@/server/sso/saml-logout';
import { endSession } from '@/server/auth/session';
import { redirect } from '@/server/sso/answer';

/** Loaded when somebody signs out: a process starts without the library of SAML. */
const samlLogout = () => import('@/server/sso/saml-logout');

const tag = 'Single sign-on';

const logout = operation({
  id: 'sso.logout',
  method: 'GET',
  path: '/auth/saml/logout',
  summary: 'End a SAML login, here and at the provider',
  description:
    'For the signed-in browser: a link of this service’s own pages ends the session, any other link leads to a page that asks ' +
    'first. Also takes a provider’s signed logout request and its answer to ours.',
  tag,
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
    if (SAMLResponse) return answerPage(SAMLResponse, true);
    if (SAMLRequest) {
      const relayState = query['RelayState'] === undefined ? '' : String(query['RelayState']);
      const request = { providerId: provider ?? '', message: SAMLRequest, relayState, rawQuery };
      return logOutByProvider(call, request);
    }
    if (!person?.sessionId) return redirect('/login');
    // CSRF: any site can put a link into a page or a mail, and a browser that follows it sends the cookie.
    if (!headers.has('authorization') && !isAskedHere(headers)) {
      const { providerLogoutUrl } = await samlLogout();
      return confirmation(await providerLogoutUrl(db, person.sessionId));
    }
    return logOut(call, person.sessionId);
  },
});

const logoutForm = operation({
  id: 'sso.logoutForm',
  method: 'POST',
  path: '/auth/saml/logout',
  summary: 'Take a SAML provider’s logout request, a form, or end the signed-in browser’s own login',
  tag,
  access: publicAccess(),
  effect: submitEffect('authentication'),
  body: rawBody(),
  query: z.strictObject({ provider: z.string().max(100).optional().describe('The id of the sign-in provider') }),
  reply: contentReply({ status: 302, description: 'To the provider, or to the sign-in page.' }),
  async run(call, { query: { provider = '' } }) {
    const { SAMLRequest, SAMLResponse, RelayState = '' } = readSingleFields(call);
    if (SAMLResponse) return answerPage(SAMLResponse, false);
    if (!SAMLRequest && call.person?.sessionId) return logOut(call, call.person.sessionId);
    if (!SAMLRequest) throw invalidField('SAMLRequest', 'is required');
    return logOutByProvider(call, { providerId: provider, message: SAMLRequest, relayState: RelayState });
  },
});

/** A provider's answer to our own request. */
async function answerPage(message: string, isPacked: boolean): Promise<Response> {
  const { checkLogoutAnswer } = await samlLogout();
  checkLogoutAnswer(message, isPacked);
  return redirect('/login');
}

/** Ends sessions, as a provider asks. Its message is read before a transaction begins, because that can take long. */
async function logOutByProvider(call: Call, request: LogoutRequest): Promise<Response> {
  const { readLogoutRequest } = await samlLogout();
  const { onward, endSessions } = await readLogoutRequest(call.db, request);
  await recorded(call, endSessions);
  return redirect(onward);
}

/** Ends the browser's session, and redirects to the provider's logout. */
async function logOut(call: Call, sessionId: string): Promise<Response> {
  call.note({ resourceId: sessionId });
  const { providerLogoutUrl } = await samlLogout();
  const onward = await providerLogoutUrl(call.db, sessionId);
  await recorded(call, (db) => endSession(db, sessionId));
  return redirect(onward ?? '/login');
}

/** Makes a change and its audit entry in one transaction. */
const recorded = (call: Call, change: (db: Db) => Promise<unknown>): Promise<void> =>
  callTransaction(true, async (db) => {
    await change(db);
    await record(db, [call.auditEntry()]);
  });

export const ssoLogout = [logout, logoutForm];
