import { expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '@/contract/file-value';
import { bodyTooLargeProblem } from './spool';

it('says the limit of a file, not that of a body with what is around it', () => {
  expect(bodyTooLargeProblem(MAX_FILE_BYTES + 65_536).message).toContain('104857600 bytes');
  expect(bodyTooLargeProblem(100).message).toBe('The file is larger than 100 bytes.');
});
