import { z } from 'zod';
import { operation } from '../api/operation';
import { invalidField } from '../api/problem';
import { formOf, signedPartOf } from '../auth/saml-form';
import { logOutAsAsked, providerLogoutUrl } from '../auth/saml-logout';
import { endSession } from '../auth/session';
import { redirect } from '../auth/sso-answer';

const tag = 'Single sign-on';

const logout = operation({
  id: 'sso.logout',
  method: 'GET',
  path: '/auth/saml/logout',
  summary: 'End a SAML login, here and at the provider',
  description: 'For the signed-in browser; also takes a provider’s signed logout request and its answer to ours.',
  tag,
  access: 'public',
  effect: 'write',
  audit: 'authentication',
  query: z.looseObject({
    provider: z.string().max(100).optional(),
    SAMLRequest: z.string().optional(),
    SAMLResponse: z.string().optional(),
  }),
  produces: { status: 302, description: 'To the provider, or to the sign-in page' },
  async run({ db, person, note, rawQuery }, { query }) {
    const { provider, SAMLRequest, SAMLResponse } = query;
    // The answer to our own request: the login ended here before we asked.
    if (SAMLResponse) return redirect('/login');
    if (SAMLRequest) {
      const given = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const asked = { providerId: provider ?? '', message: SAMLRequest, relayState: given.get('RelayState') ?? '' };
      return redirect(await logOutAsAsked(db, { ...asked, query: given, signedPart: signedPartOf(rawQuery) }));
    }
    if (!person?.sessionId) return redirect('/login');
    note({ resourceId: person.sessionId });
    const onward = await providerLogoutUrl(person.sessionId);
    await endSession(db, person.sessionId);
    return redirect(onward ?? '/login');
  },
});

const logoutForm = operation({
  id: 'sso.logoutForm',
  method: 'POST',
  path: '/auth/saml/logout',
  summary: 'Take a SAML provider’s logout request, a form',
  tag,
  access: 'public',
  effect: 'write',
  audit: 'authentication',
  takesRawBody: true,
  query: z.strictObject({ provider: z.string().max(100).optional() }),
  produces: { status: 302, description: 'To the provider' },
  async run(call, { query: { provider = '' } }) {
    const { SAMLRequest, SAMLResponse, RelayState = '' } = formOf(call);
    if (SAMLResponse) return redirect('/login');
    if (!SAMLRequest) throw invalidField('SAMLRequest', 'is required');
    return redirect(
      await logOutAsAsked(call.db, { providerId: provider, message: SAMLRequest, relayState: RelayState }),
    );
  },
});

export const ssoLogout = [logout, logoutForm];
