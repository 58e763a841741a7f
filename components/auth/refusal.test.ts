import { describe, expect, it } from 'vitest';
import { refusalOf, ssoRefusalOf } from './refusal';

describe('why somebody may not come in', () => {
  it('stands at the field that is wrong', () => {
    expect(refusalOf('UNAUTHORIZED', undefined).field).toBe('password');
    expect(refusalOf('MFA_WRONG', undefined).field).toBe('mfaCode');
    expect(refusalOf('FORBIDDEN', undefined).field).toBeUndefined();
  });

  it('says when to try again', () => {
    expect(refusalOf('RATE_LIMITED', 90).message).toContain('in 1 min 30 s');
    expect(refusalOf('RATE_LIMITED', undefined).message).toContain('in a few minutes');
  });

  it('explains what became of a sign-in at a provider, and nothing when there was none', () => {
    expect(ssoRefusalOf('domain')?.message).toContain('domains');
    expect(ssoRefusalOf('something-newer')?.message).toContain('did not work');
    expect(ssoRefusalOf(undefined)).toBeUndefined();
  });
});
