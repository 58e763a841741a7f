import { describe, expect, it } from 'vitest';
import { credentialHealth } from './health';

const now = Date.parse('2026-01-01T00:00:00.000Z');
const credential = (expiresAt: string | null, secretFields: string[] = []) =>
  ({ status: 'active', expiresAt, secretFields }) as const;

describe('the status of a credential', () => {
  it('is the one that the service reports', () => {
    expect(credentialHealth({ ...credential(null), status: 'expired' }, false, now)).toBe('expired');
    expect(credentialHealth(credential(null), false, now)).toBe('active');
  });

  it('warns of an expiry without a refresh', () => {
    expect(credentialHealth(credential('2026-01-03T00:00:00.000Z'), false, now)).toBe('soon');
    expect(credentialHealth(credential('2025-12-31T00:00:00.000Z'), false, now)).toBe('expired');
    expect(credentialHealth(credential('2026-03-01T00:00:00.000Z'), false, now)).toBe('active');
  });

  it('does not warn if tokens are refreshed', () => {
    expect(credentialHealth(credential('2026-01-01T00:10:00.000Z', ['refreshToken']), false, now)).toBe('active');
    expect(credentialHealth(credential('2026-01-01T00:10:00.000Z'), true, now)).toBe('active');
  });
});
