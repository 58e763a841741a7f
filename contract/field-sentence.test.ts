import { expect, it } from 'vitest';
import { fieldIssueSentence } from './field-sentence';

it('says what is wrong in one sentence', () => {
  expect(fieldIssueSentence('URL', 'is required')).toBe('URL is required');
  expect(fieldIssueSentence('Code', 'does not have the expected format')).toBe(
    'Code does not have the expected format',
  );
  expect(fieldIssueSentence('To', 'the mail has no recipient')).toBe('To: the mail has no recipient');
});
