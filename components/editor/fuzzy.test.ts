import { describe, expect, it } from 'vitest';
import { fuzzy } from './fuzzy';

describe('fuzzy', () => {
  it('finds by parts, initials and skipped letters', () => {
    for (const typed of ['http', 'HTTP req', 'hr', 'httpreq', 'requ'])
      expect(fuzzy(typed, 'HTTP request'), typed).toBeGreaterThan(0);
  });

  it('finds nothing where the letters are not in order, or all over the place', () => {
    expect(fuzzy('xyz', 'HTTP request')).toBe(0);
    expect(fuzzy('tsp', 'HTTP request')).toBe(0);
  });

  it('prefers the beginning of words', () => {
    expect(fuzzy('for', 'For each')).toBeGreaterThan(fuzzy('for', 'Transform'));
  });
});
