import { describe, expect, it } from 'vitest';
import { describeRefusal, describeSsoFailure } from './refusal';

describe('the message for a refused sign-in', () => {
  it('belongs to the field that is wrong', () => {
    expect(describeRefusal('UNAUTHORIZED', undefined).field).toBe('password');
    const reason = 'The service is in maintenance: until 6.';
    expect(describeRefusal('UNAVAILABLE', 30, reason)).toEqual({ message: reason });
    expect(describeRefusal('MFA_WRONG', undefined).field).toBe('mfaCode');
    expect(describeRefusal('FORBIDDEN', undefined).field).toBeUndefined();
  });

  it('says when to try again', () => {
    expect(describeRefusal('RATE_LIMITED', 90).message).toContain('in 1 min 30 s');
    expect(describeRefusal('RATE_LIMITED', undefined).message).toContain('in a few minutes');
  });

  it('explains a failed provider sign-in, and is absent without one', () => {
    expect(describeSsoFailure('domain')?.message).toContain('domains');
    expect(describeSsoFailure('something-newer')?.message).toContain('did not work');
    expect(describeSsoFailure(undefined)).toBeUndefined();
  });
});
