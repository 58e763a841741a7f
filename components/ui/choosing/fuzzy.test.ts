import { describe, expect, it } from 'vitest';
import { fuzzy } from './fuzzy';

describe('fuzzy', () => {
  it('matches parts, initials and skipped letters', () => {
    for (const typed of ['http', 'HTTP req', 'hr', 'httpreq', 'requ'])
      expect(fuzzy(typed, 'HTTP request'), typed).toBeGreaterThan(0);
  });

  it('rejects letters out of order or scattered', () => {
    expect(fuzzy('xyz', 'HTTP request')).toBe(0);
    expect(fuzzy('tsp', 'HTTP request')).toBe(0);
  });

  it('prefers beginnings of words', () => {
    expect(fuzzy('for', 'For each')).toBeGreaterThan(fuzzy('for', 'Transform'));
  });
});
