import { expect, test } from 'vitest';
import { MAX_LINES, findChangelogFaults, releaseSection, sectionOf } from './changelog.mjs';

const log = (...sections: string[]) => `# Changelog\n\nWords.\n\n${sections.join('\n')}`;

test('a section ends where the next version begins', () => {
  const text = log(
    '## [Unreleased]\n',
    '## [1.1.0] - 2026-02-01\n\n### Added\n\n- B\n',
    '## [1.0.0] - 2026-01-01\n\n- A\n',
  );
  expect([sectionOf(text), sectionOf(text, '1.1.0'), sectionOf(text, '1.0.0'), sectionOf(text, '1.0')]).toEqual([
    '',
    '### Added\n\n- B',
    '- A',
    undefined,
  ]);
});

test('a release gives its entries a version and leaves an empty section above', () => {
  const released = releaseSection(
    log('## [Unreleased]\n\n- B\n', '## [1.0.0] - 2026-01-01\n\n- A\n'),
    '1.1.0',
    '2026-02-01',
  );
  expect(released).toBe(
    log('## [Unreleased]\n', '## [1.1.0] - 2026-02-01\n\n- B\n', '## [1.0.0] - 2026-01-01\n\n- A\n'),
  );
  expect(() => releaseSection(released, '1.2.0', '2026-03-01')).toThrow('no entries');
  expect(() => releaseSection(log('## [Unreleased]\n\n- C\n\n## [1.0.0] - x'), '1.0.0', '2026-03-01')).toThrow(
    'already',
  );
});

test('each version has few enough lines to be read, and the first section is for what comes', () => {
  const long = (lines: number) => log('## [Unreleased]\n', `## [1.0.0] - 2026-01-01\n\n${'- A\n'.repeat(lines)}`);
  expect(findChangelogFaults(long(MAX_LINES))).toEqual([]);
  expect(findChangelogFaults(long(MAX_LINES + 1))).toEqual(['CHANGELOG.md: [1.0.0] has 201 lines, more than 200']);
  expect(findChangelogFaults(log('## [1.0.0] - 2026-01-01\n\n- A\n'))).toEqual([
    'CHANGELOG.md: the first section must be [Unreleased]',
  ]);
});
