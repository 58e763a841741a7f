import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The last migration from before this rule was tested. */
const BEFORE = '20261124115000_partial_runs';

/** Changes that processes of the release before do not survive, in SQL without comments. */
const BREAKING: Record<string, RegExp> = {
  'a table is dropped': /\bDROP\s+TABLE\b/i,
  'a column is dropped': /\bDROP\s+COLUMN\b/i,
  'something is renamed': /\bRENAME\s+(TO|COLUMN|[\w"]+\s+TO)\b/i,
  'a type is changed': /\bALTER\s+(COLUMN\s+)?[\w"]+\s+(SET\s+DATA\s+)?TYPE\b/i,
  'a column is needed that older statements do not write':
    /\bADD\s+(COLUMN\s+)?(IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b)[\w"]+\s(?![^;,]*\bDEFAULT\b)[^;,]*\bNOT\s+NULL\b|\bSET\s+NOT\s+NULL\b/i,
};

function breaks(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
  return Object.keys(BREAKING).filter((what) => BREAKING[what]?.test(bare));
}

test.each([
  ['DROP TABLE poll;', 'a table is dropped'],
  ['ALTER TABLE poll DROP COLUMN cron;', 'a column is dropped'],
  ['ALTER TABLE visit RENAME TO presence;', 'something is renamed'],
  ['ALTER TABLE poll RENAME cron TO rule;', 'something is renamed'],
  ['ALTER TABLE poll ALTER COLUMN cron TYPE json;', 'a type is changed'],
  ['ALTER TABLE poll ADD COLUMN kind text NOT NULL;', 'a column is needed that older statements do not write'],
  ['ALTER TABLE poll ALTER COLUMN kind SET NOT NULL;', 'a column is needed that older statements do not write'],
])('%s is noticed', (sql, what) => expect(breaks(sql)).toEqual([what]));

test.each([
  "ALTER TABLE poll ADD COLUMN kind text NOT NULL DEFAULT 'rss', ADD COLUMN note text;",
  'CREATE TABLE file (id text NOT NULL); CREATE INDEX file_id ON file (id);',
  'ALTER TABLE poll ADD CONSTRAINT poll_kind CHECK (kind IS NOT NULL) NOT VALID; -- no DROP TABLE',
])('%s is permitted', (sql) => expect(breaks(sql)).toEqual([]));

test('processes of the release before can work with the schema of each new migration', () => {
  // Initial migrations run on new databases only.
  const added = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) => {
    const name = path.basename(path.dirname(file));
    return file.endsWith('.sql') && name > BEFORE && !name.endsWith('_initial');
  });
  const found = added.map((file) => {
    const sql = readFileSync(path.join(import.meta.dirname, file), 'utf8');
    return { file, breaks: breaks(sql) };
  });
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter((one) => one.breaks.length > 0)).toEqual([]);
});
