import { expect, test } from 'vitest';
import { setRuntime, type Runtime } from '@/server/runtime';
import { isSigned, signatureOf } from './signing';

const [older, newer] = ['an older key of thirty-two bytes or more', 'a newer key of thirty-two bytes or more'];
const useKeys = (jwtSecret: string, ...oldJwtSecrets: string[]) =>
  setRuntime({ env: { jwtSecret, oldJwtSecrets } } as unknown as Runtime);

test('what an old key signed holds until it is removed, and the newest key signs', () => {
  useKeys(older);
  const signature = signatureOf('purpose', 'text');
  useKeys(newer, older);
  expect(isSigned(signature, 'purpose', 'text')).toBe(true);
  expect(isSigned(signature, 'purpose', 'other')).toBe(false);
  expect(signatureOf('purpose', 'text')).not.toBe(signature);
  useKeys(newer);
  expect(isSigned(signature, 'purpose', 'text')).toBe(false);
});
