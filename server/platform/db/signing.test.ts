import { expect, test } from 'vitest';
import { setRuntime, type Runtime } from '@/server/platform/runtime';
import { isValidSignature, signText } from './signing';

const [older, newer] = ['an older key of thirty-two bytes or more', 'a newer key of thirty-two bytes or more'];
const useKeys = (jwtSecret: string, ...oldJwtSecrets: string[]) =>
  setRuntime({ env: { jwtSecret, oldJwtSecrets } } as unknown as Runtime);

test('what an old key signed holds until it is removed, and the newest key signs', () => {
  useKeys(older);
  const signature = signText('purpose', 'text');
  useKeys(newer, older);
  expect(isValidSignature(signature, 'purpose', 'text')).toBe(true);
  expect(isValidSignature(signature, 'purpose', 'other')).toBe(false);
  expect(signText('purpose', 'text')).not.toBe(signature);
  useKeys(newer);
  expect(isValidSignature(signature, 'purpose', 'text')).toBe(false);
});
