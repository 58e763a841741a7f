import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findParameterNames, parseSqlStatement } from './statement';

const untouched = (source: string) => ({ text: source, names: [] });

describe('parameters of PostgreSQL', () => {
  it.each([
    ['SELECT :a', 'SELECT $1', ['a']],
    ['WHERE x=:a AND y>:b_2 OR x=:a', 'WHERE x=$1 AND y>$2 OR x=$1', ['a', 'b_2']],
    ['SELECT :a::int[], (:b)::text', 'SELECT $1::int[], ($2)::text', ['a', 'b']],
    ["SELECT 'it''s :no', :a", "SELECT 'it''s :no', $1", ['a']],
    ['SELECT "a"":no", :a', 'SELECT "a"":no", $1', ['a']],
    [String.raw`SELECT E'\':no', :a`, String.raw`SELECT E'\':no', $1`, ['a']],
    [String.raw`SELECT '\', :a`, String.raw`SELECT '\', $1`, ['a']],
    [String.raw`SELECT type'\', :a`, String.raw`SELECT type'\', $1`, ['a']],
    ['SELECT $$ :no $$, $t$ :no $$ :no $t$, :a', 'SELECT $$ :no $$, $t$ :no $$ :no $t$, $1', ['a']],
    ['SELECT 1 -- :no\n, :a', 'SELECT 1 -- :no\n, $1', ['a']],
    ['SELECT /* :no /* :no */ :no */ :a', 'SELECT /* :no /* :no */ :no */ $1', ['a']],
    ['SELECT a[1:2], a[low:high], a[:n]', 'SELECT a[1:2], a[low:high], a[$1]', ['n']],
    ['SELECT doc ? :key, doc @> :part', 'SELECT doc ? $1, doc @> $2', ['key', 'part']],
    ['SELECT a$b$c, :a', 'SELECT a$b$c, $1', ['a']],
    ['SELECT x::int, y:: text, :a', 'SELECT x::int, y:: text, $1', ['a']],
  ])('%s', (source, text, names) => {
    expect(parseSqlStatement(source, 'postgres')).toEqual({ text, names });
  });

  it.each(["SELECT 'open :no", 'SELECT /* open :no', 'SELECT $x$ open :no', 'SELECT : 1, :1', 'SELECT 10:30'])(
    'leaves %s to the server',
    (source) => expect(parseSqlStatement(source, 'postgres')).toEqual(untouched(source)),
  );

  it('refuses placeholders without a name', () => {
    expect(() => parseSqlStatement('SELECT $1', 'postgres')).toThrow('config.statement: use a named parameter');
  });
});

describe('parameters of MySQL', () => {
  it.each([
    ['SELECT :a, :b, :a', 'SELECT ?, ?, ?', ['a', 'b', 'a']],
    [String.raw`SELECT 'it\'s :no', "a\":no", :a`, String.raw`SELECT 'it\'s :no', "a\":no", ?`, ['a']],
    ['SELECT `a``:no`, :a', 'SELECT `a``:no`, ?', ['a']],
    ['SELECT 1 # :no\n, :a', 'SELECT 1 # :no\n, ?', ['a']],
    ['SELECT 1 -- :no\n, 2--:a', 'SELECT 1 -- :no\n, 2--?', ['a']],
    ['SELECT /* :no /* */ :a', 'SELECT /* :no /* */ ?', ['a']],
    ['SELECT @n := @n + :a', 'SELECT @n := @n + ?', ['a']],
    ['SELECT $x$, :a', 'SELECT $x$, ?', ['a']],
  ])('%s', (source, text, names) => {
    expect(parseSqlStatement(source, 'mysql')).toEqual({ text, names });
  });

  it('refuses placeholders without a name', () => {
    expect(() => parseSqlStatement('SELECT ?', 'mysql')).toThrow('config.statement: use a named parameter');
    expect(parseSqlStatement("SELECT '?'", 'mysql')).toEqual(untouched("SELECT '?'"));
  });
});

it('never changes a string, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('postgres', 'mysql'), (content, dialect) => {
      const literal = `'${content.replaceAll('\\', '').replaceAll("'", "''")}'`;
      const { text, names } = parseSqlStatement(`SELECT ${literal}, :a`, dialect);
      expect(text).toBe(`SELECT ${literal}, ${dialect === 'postgres' ? '$1' : '?'}`);
      expect(names).toEqual(['a']);
    }),
  );
});

it('ends with any text, and keeps everything but parameters', () => {
  const parts = fc.constantFrom(
    "'",
    '"',
    '`',
    '$$',
    '$t$',
    '/*',
    '*/',
    '--',
    '#',
    '\n',
    ':',
    '::',
    ':=',
    'e',
    '\\',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(parts), fc.constantFrom('postgres', 'mysql'), (pieces, dialect) => {
      const source = pieces.join('');
      const { text, names } = parseSqlStatement(source, dialect);
      const back = names.reduce((one, name) => one.replace(/\$\d|\?/, `:${name}`), text);
      if (dialect === 'mysql') expect(back).toBe(source);
      expect(text.length).toBeLessThanOrEqual(source.length + names.length);
    }),
  );
});

it('names the parameters for a server of either kind', () => {
  expect(findParameterNames('SELECT :a, `:b`')).toEqual(['a']);
  expect(findParameterNames('SELECT $1, :a')).toEqual([]);
});
