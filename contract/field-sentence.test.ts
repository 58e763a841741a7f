import { expect, it } from 'vitest';
import { fieldSentence } from './field-sentence';

it('says what is wrong in one sentence', () => {
  expect(fieldSentence('URL', 'is required')).toBe('URL is required');
  expect(fieldSentence('Code', 'does not have the expected format')).toBe('Code does not have the expected format');
  expect(fieldSentence('To', 'the mail has no recipient')).toBe('To: the mail has no recipient');
});
