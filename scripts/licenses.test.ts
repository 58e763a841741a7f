import { expect, test } from 'vitest';
import { isPermitted, licenceTexts, lockedPackages, refusedPackages } from './licenses.mjs';

test.each([
  ['MIT', true],
  ['(MIT OR EUPL-1.1+)', true],
  ['MIT and ISC', true],
  ['GPL-3.0-only', false],
  ['Apache-2.0 AND LGPL-3.0-or-later', false],
  ['(AGPL-3.0 OR GPL-2.0)', false],
])('%s is permitted: %s', (licence, permitted) => {
  expect(isPermitted(licence)).toBe(permitted);
});

test('a package with another licence, or without one, is refused; one for other systems has that of its family', () => {
  const one = { place: '', version: '1.0.0', licence: undefined, isShipped: true, isPlatform: false };
  const packages = [
    { ...one, name: 'copyleft', licence: 'GPL-3.0-only' },
    { ...one, name: 'silent' },
    // Named with another licence.
    { ...one, name: 'ssh2', licence: 'GPL-3.0-only' },
    { ...one, name: 'elkjs', licence: 'EPL-2.0 OR GPL-3.0-or-later' },
    { ...one, name: '@family/core', licence: 'MIT' },
    { ...one, name: '@family/core-darwin-arm64', isPlatform: true },
    { ...one, name: '@strange/core-darwin-arm64', isPlatform: true },
  ];
  expect(refusedPackages(packages).map(({ name }) => name)).toEqual([
    'copyleft',
    'silent',
    'ssh2',
    '@strange/core-darwin-arm64',
  ]);
});

test('each package of the lock file has an agreed licence', () => {
  const packages = lockedPackages();
  expect(packages.length).toBeGreaterThan(1000);
  expect(refusedPackages(packages)).toEqual([]);
});

test('images carry the texts of the licences', () => {
  const texts = licenceTexts().split(/\n-{80}\n/);
  const zod = texts.find((text) => /(^|, )zod(, |\n)/m.test(text));
  expect(zod).toMatch(/Permission is hereby granted/);
  expect(texts.length).toBeGreaterThan(100);
});
