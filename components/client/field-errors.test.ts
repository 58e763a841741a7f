import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { splitFieldErrors } from './field-errors';

const refused = (details: { field: string; message: string }[]) =>
  Object.assign(new TRPCClientError('no'), {
    data: { problem: { code: 'VALIDATION_ERROR', message: 'The request is not valid.', details } },
  });

describe('errors of a form', () => {
  it('are at the fields that it shows, and above for the others', () => {
    const error = refused([
      { field: 'name', message: 'is required' },
      { field: 'scopes', message: 'is unknown' },
    ]);
    const { at, elsewhere } = splitFieldErrors(error, (field) => field === 'name');
    expect(at.get('name')).toBe('is required');
    expect(elsewhere).toBe('scopes is unknown');
  });

  it('are above for a refusal that names no field, and absent without one', () => {
    expect(splitFieldErrors(refused([]), () => true).elsewhere).toBe('The request is not valid.');
    expect(splitFieldErrors(null, () => true)).toEqual({ at: new Map(), elsewhere: null });
  });
});
