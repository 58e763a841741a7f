import { z } from 'zod';
import { operation, type Call } from '@/server/api/operation';
import { invalidField } from '@/server/errors/problem';
import { isAskedHere } from '@/server/auth/browser-session';
import { confirmation } from '@/server/sso/saml-confirm';
import { formOf, signedPartOf } from '@/server/sso/saml-form';
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
  access: 'public',
  effect: 'write',
  audit: 'authentication',
  query: z.looseObject({
    provider: z.string().max(100).optional(),
    SAMLRequest: z.string().optional(),
    SAMLResponse: z.string().optional(),
  }),
  produces: { status: 302, description: 'To the provider, or to the sign-in page; 200: the page that asks' },
  async run(call, { query }) {
    const { db, person, headers, rawQuery } = call;
    const { provider, SAMLRequest, SAMLResponse } = query;
    if (SAMLResponse) return answerPage(SAMLResponse, true);
    if (SAMLRequest) {
      const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const request = {
        providerId: provider ?? '',
        message: SAMLRequest,
        relayState: parameters.get('RelayState') ?? '',
      };
      const { handleLogoutRequest } = await samlLogout();
      return redirect(
        await handleLogoutRequest(db, { ...request, query: parameters, signedPart: signedPartOf(rawQuery) }),
      );
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
  access: 'public',
  effect: 'write',
  audit: 'authentication',
  takesRawBody: true,
  query: z.strictObject({ provider: z.string().max(100).optional() }),
  produces: { status: 302, description: 'To the provider' },
  async run(call, { query: { provider = '' } }) {
    const { SAMLRequest, SAMLResponse, RelayState = '' } = formOf(call);
    if (SAMLResponse) return answerPage(SAMLResponse, false);
    if (!SAMLRequest && call.person?.sessionId) return logOut(call, call.person.sessionId);
    if (!SAMLRequest) throw invalidField('SAMLRequest', 'is required');
    const { handleLogoutRequest } = await samlLogout();
    return redirect(
      await handleLogoutRequest(call.db, { providerId: provider, message: SAMLRequest, relayState: RelayState }),
    );
  },
});

/** A provider's answer to our own request. */
async function answerPage(message: string, isPacked: boolean): Promise<Response> {
  const { checkLogoutAnswer } = await samlLogout();
  checkLogoutAnswer(message, isPacked);
  return redirect('/login');
}

/** Ends the browser's session, and redirects to the provider's logout. */
async function logOut({ db, note }: Call, sessionId: string): Promise<Response> {
  note({ resourceId: sessionId });
  const { providerLogoutUrl } = await samlLogout();
  const onward = await providerLogoutUrl(db, sessionId);
  await endSession(db, sessionId);
  return redirect(onward ?? '/login');
}

export const ssoLogout = [logout, logoutForm];
