import { expect, test } from 'vitest';
import { requireStrongPassword } from './password-rules';

const ada = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' };
const check = (password: string) => () => requireStrongPassword(password, 'password', ada);

test.each([
  'password1234',
  'Password-123!',
  '1234567890123',
  '987654321098',
  'qwertyuiopas',
  'QWERTZUIOPASDF',
  '1qaz2wsx3edc4rfv',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'letmein!!!!!!!',
  'administrator1',
  'correct horse battery staple',
  'ada.lovelace@example.com',
  'AdaLovelace2026',
  'lovelace-weft-1',
])('%s is refused as easily guessed', (password) => {
  expect(check(password)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
});

test.each([
  'correct horse battery',
  'Correct-Horse-9-Battery',
  'a long password',
  'my password is fine',
  '730184926651',
  'ada has 3 cats and a loom',
  'ада любит ткать',
  '織機で布を織る人',
  'weftweftwarpweft!',
  '!@#$%^&*()_+=-',
])('%s is accepted', (password) => {
  expect(check(password)).not.toThrow();
});
