import { describe, expect, it } from 'vitest';
import { refusalOf, ssoRefusalOf } from './refusal';

describe('the message for a refused sign-in', () => {
  it('belongs to the field that is wrong', () => {
    expect(refusalOf('UNAUTHORIZED', undefined).field).toBe('password');
    const reason = 'The service is in maintenance: until 6.';
    expect(refusalOf('UNAVAILABLE', 30, reason)).toEqual({ message: reason });
    expect(refusalOf('MFA_WRONG', undefined).field).toBe('mfaCode');
    expect(refusalOf('FORBIDDEN', undefined).field).toBeUndefined();
  });

  it('says when to try again', () => {
    expect(refusalOf('RATE_LIMITED', 90).message).toContain('in 1 min 30 s');
    expect(refusalOf('RATE_LIMITED', undefined).message).toContain('in a few minutes');
  });

  it('explains a failed provider sign-in, and is absent without one', () => {
    expect(ssoRefusalOf('domain')?.message).toContain('domains');
    expect(ssoRefusalOf('something-newer')?.message).toContain('did not work');
    expect(ssoRefusalOf(undefined)).toBeUndefined();
  });
});
