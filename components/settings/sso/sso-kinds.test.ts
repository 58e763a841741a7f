import { describe, expect, it } from 'vitest';
import { withClearedFields, SSO_PROVIDER_OPTIONS, findSsoOption, ssoFormSchema } from './sso-kinds';

describe('the forms of sign-in providers', () => {
  it('have the fields of each kind only', () => {
    for (const kind of SSO_PROVIDER_OPTIONS) {
      const { properties = {}, required = [] } = ssoFormSchema(kind, ['viewer']);
      expect(required.every((name) => name in properties)).toBe(true);
      expect('clientSecret' in properties).toBe(kind.type !== 'saml');
    }
  });

  it('are found for a stored provider', () => {
    expect(findSsoOption({ type: 'oidc', preset: 'okta' })?.label).toBe('Okta');
    expect(findSsoOption({ type: 'oauth2', preset: undefined })?.id).toBe('oauth2');
    expect(findSsoOption({ type: 'saml', preset: undefined })?.id).toBe('saml');
  });

  it('remove emptied fields', () => {
    const stored = { name: 'a', sloUrl: 'https://a.example', domains: ['a.example'], groupsClaim: 'teams' };
    expect(withClearedFields(stored, { name: 'b' })).toEqual({
      name: 'b',
      sloUrl: null,
      domains: [],
      groupsClaim: 'groups',
    });
  });
});
