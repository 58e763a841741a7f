import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { converted, convertedHere, failureOf } from './testing/convert';

useEvaluation();

it('reads the text of elements as a reader sees it', async () => {
  expect(
    await converted(
      'xml',
      'json',
      `<r a=" 1&#10;2 "
 b="x
y"><p>Hello <b>big</b> world<!-- c --> &amp; <![CDATA[ <z> ]]>end</p><q>
   one
   two </q><e/><f> </f><g>&#32;x&#160;</g><h><![CDATA[ y ]]></h><i xml:space="preserve"> z <k> </k></i><n>\u00a0</n></r>`,
    ),
  ).toEqual({
    r: {
      '@a': ' 1\n2 ',
      '@b': 'x y',
      p: { '#text': 'Hello  world &  <z> end', b: 'big' },
      q: 'one\n   two',
      e: '',
      f: '',
      g: ' x\u00a0',
      h: ' y ',
      i: { '@xml:space': 'preserve', '#text': ' z ', k: ' ' },
      n: '\u00a0',
    },
  });
  expect(await converted('xml', 'json', '<r>\n  <a>1</a>\n  <a>2</a>\n</r>', { types: true })).toEqual({
    r: { a: [1, 2] },
  });
});

it('reads the encoding that a document declares', async () => {
  const text = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>Grüße – 5 €</a>`;
  for (const encoding of ['windows-1252', 'ISO-8859-1', 'utf-8', 'gb18030', 'windows-1250']) {
    const bytes = iconv.encode(text(encoding), encoding === 'ISO-8859-1' ? 'windows-1252' : encoding);
    expect([encoding, await converted('xml', 'json', bytes)]).toEqual([encoding, { a: 'Grüße – 5 €' }]);
  }
  for (const bytes of [
    Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le'),
    Buffer.from(text('UTF-16'), 'utf16le').swap16(),
  ])
    expect(await converted('xml', 'json', bytes)).toEqual({ a: 'Grüße – 5 €' });
  const page = iconv.encode('<!doctype html><meta charset="shift_jis"><p>日本語', 'shift_jis');
  expect(await converted('html', 'text', page)).toBe('日本語');
  expect(await converted('file', 'text', page)).toContain('日本語');
  expect(await failureOf(converted('xml', 'json', Buffer.from('<a>\n\xe9</a>', 'latin1')))).toMatch(
    /^CONVERT_FAILED: The byte 0xE9 in line 2, column 1 is not UTF-8/,
  );
  expect(await failureOf(converted('xml', 'json', Buffer.from(text('klingon'))))).toMatch(
    /encoding klingon is not known/,
  );
});

it('refuses what XML has no way to write', async () => {
  expect(await failureOf(converted('json', 'xml', { a: '\u0001' }))).toBe(
    'CONVERT_FAILED: XML has no way to write the character U+0001.',
  );
  expect(await failureOf(converted('json', 'xml', { a: [[1], [2]] }))).toMatch(/A list inside of a list/);
  expect(await failureOf(converted('json', 'xml', { a: { '@b': {} } }))).toMatch(/attribute "b"/);
  expect(await failureOf(converted('json', 'xml', { a: { 2024: 1 } }))).toMatch(/"2024" is not a name of XML/);
  expect(await failureOf(converted('xml', 'json', '<a><b>1</b>'))).toMatch(/^CONVERT_FAILED: The text is not XML/);
});

it('reads back what it writes', async () => {
  const text = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(' ', '\n', '\t', '\r', '&', '<', '>', '"', "'", ']', '\u00a0', '&#32;', 'ü'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      ),
    })
    // oxlint-disable-next-line no-control-regex
    .filter((one) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(one));
  const name = fc.constantFrom('a', 'b', 'ä-1', 'x:y', 'constructor', 'toString', '__proto__');
  const { element } = fc.letrec<{ element: unknown; object: unknown }>((tie) => ({
    element: fc.oneof({ depthSize: 'small', withCrossShrink: true }, text, tie('object')),
    object: fc
      .tuple(
        fc.dictionary(
          name.map((one) => `@${one}`),
          text,
          { maxKeys: 2 },
        ),
        fc.option(
          text.filter((one) => one !== ''),
          { nil: undefined },
        ),
        fc.dictionary(name, fc.oneof(tie('element'), fc.array(tie('element'), { minLength: 2, maxLength: 3 })), {
          maxKeys: 3,
        }),
      )
      .filter(([attributes, , fields]) => Object.keys(attributes).length + Object.keys(fields).length > 0)
      .map(([attributes, own, fields]) => ({
        ...attributes,
        ...(own === undefined ? {} : { '#text': own }),
        ...fields,
      })),
  }));
  await fc.assert(
    fc.asyncProperty(element, fc.constantFrom(0, 2), async (value, indent) => {
      const written = await convertedHere('json', 'xml', { root: value }, { root: 'all', indent });
      expect(await convertedHere('xml', 'json', written)).toEqual({ all: { root: value } });
    }),
  );
});
