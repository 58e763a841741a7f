import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { useEvaluation } from '@/server/testing/evaluation';
import { convertAll, converted, failureOf, fixture } from './testing/convert';

useEvaluation();

it('reads CSV: delimiters, quotes, headers, types', async () => {
  expect(await converted('csv', 'json', 'a,b\n1,"x, ""y""\nz"\n')).toEqual([{ a: '1', b: 'x, "y"\nz' }]);
  expect(await converted('csv', 'json', 'a;b\n1;"2,3"')).toEqual([{ a: '1', b: '2,3' }]);
  expect(await converted('csv', 'json', 'a\tb\n1\t2')).toEqual([{ a: '1', b: '2' }]);
  expect(await converted('csv', 'json', 'a\tb,c', { delimiter: 'tab', header: false })).toEqual([['a', 'b,c']]);
  expect(await converted('csv', 'json', "'a|b'|c", { delimiter: '|', quote: "'", header: false })).toEqual([
    ['a|b', 'c'],
  ]);
  expect(await converted('csv', 'json', 'a,a,\n1,2,3,4\n5')).toEqual([
    { a: '1', a_2: '2', column_3: '3', column_4: '4' },
    { a: '5', a_2: '', column_3: '', column_4: '' },
  ]);
  expect(
    await converted('csv', 'json', 'n,t,b,e\n-1.5,007,TRUE,\n1e3,12345678901234567890,x,1', { types: true }),
  ).toEqual([
    { n: -1.5, t: '007', b: true, e: null },
    { n: 1000, t: '12345678901234567890', b: 'x', e: 1 },
  ]);
  expect(await failureOf(converted('csv', 'json', 'a,b\n1,"x'))).toMatch(
    /^CONVERT_FAILED: The text is not CSV: .*line 2/,
  );
});

it('reads encodings, and refuses what is not in the encoding', async () => {
  const windows = Buffer.from([0x61, 0x0a, 0x80, 0xfc]);
  expect(await converted('csv', 'json', windows, { encoding: 'windows-1252' })).toEqual([{ a: '€ü' }]);
  expect(await failureOf(converted('csv', 'json', windows))).toBe(
    'CONVERT_FAILED: The byte 0x80 in line 2, column 1 is not UTF-8. Set options.encoding to that of the file, such as windows-1252.',
  );
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\nü', 'utf16le')]);
  expect(await converted('csv', 'json', utf16)).toEqual([{ a: 'ü' }]);
  expect(await converted('csv', 'json', Buffer.from('\ufeffa\nü'))).toEqual([{ a: 'ü' }]);
  expect(await converted('text', 'text', 'aü€', { asFile: true, outputEncoding: 'windows-1252' })).toEqual(
    Buffer.from([0x61, 0xfc, 0x80]),
  );
  expect(await converted('text', 'text', 'ü', { asFile: true, outputEncoding: 'utf-16le' })).toEqual(
    Buffer.from('ü', 'utf16le'),
  );
  expect(await failureOf(converted('text', 'text', 'a漢', { asFile: true, outputEncoding: 'windows-1252' }))).toBe(
    'CONVERT_FAILED: The character at position 2 does not exist in windows-1252.',
  );
  expect(await failureOf(converted('text', 'text', 'a␀', { asFile: true, outputEncoding: 'big5' }))).toBe(
    'CONVERT_FAILED: The character at position 2 does not exist in big5.',
  );
});

it('keeps names such as __proto__ as plain fields', async () => {
  const rows = (await converted('csv', 'ndjson', '__proto__,constructor\n1,2')) as string;
  expect(rows).toBe('{"__proto__":"1","constructor":"2"}\n');
  expect(await converted('ndjson', 'csv', rows)).toBe('__proto__,constructor\n1,2\n');
  expect(await converted('html', 'json', '<p>x', { select: JSON.parse('{"__proto__":"p"}') as never })).toSatisfy(
    (value: object) => Object.hasOwn(value, '__proto__'),
  );
  expect(JSON.stringify(await converted('xml', 'json', '<a><__proto__ toString="2">1</__proto__></a>'))).toBe(
    '{"a":{"__proto__":{"@toString":"2","#text":"1"}}}',
  );
});

it('writes CSV: all columns, escaped formulas, a byte order mark', async () => {
  const rows = [
    { a: 1, b: '=1+2' },
    { c: [1], a: 'x "y"' },
  ];
  expect(await converted('json', 'csv', rows)).toBe('a,b,c\n1,=1+2,\n"x ""y""",,[1]\n');
  expect(await converted('json', 'csv', rows, { escapeFormulas: true, columns: ['b', 'a'], delimiter: ';' })).toBe(
    'b;a\n\'=1+2;1\n;"x ""y"""\n',
  );
  expect(await converted('json', 'csv', [{ a: -5, b: '-5' }], { escapeFormulas: true, header: false })).toBe(
    "-5,'-5\n",
  );
  expect(await converted('json', 'csv', [['ü']], { asFile: true, bom: true })).toEqual(Buffer.from('\ufeffü\n'));
});

it('reads and writes JSON and NDJSON', async () => {
  expect(await converted('text', 'json', '{"a":1}')).toEqual({ a: 1 });
  expect(await converted('json', 'text', { a: 1 }, { indent: 2 })).toBe('{\n  "a": 1\n}');
  expect(await converted('json', 'ndjson', [{ a: 1 }, 2])).toBe('{"a":1}\n2\n');
  expect(await converted('ndjson', 'json', '{"a":1}\r\n\n2')).toEqual([{ a: 1 }, 2]);
  expect(await failureOf(converted('ndjson', 'json', '1\n{x}'))).toMatch(/^CONVERT_FAILED: Line 2 is not JSON/);
  expect(await failureOf(converted('text', 'json', '[1,'))).toMatch(/^CONVERT_FAILED: The text is not JSON/);
});

it('reads spreadsheets of other programs, sheet by sheet', async () => {
  const file = fixture('orders.xlsx');
  expect(await converted('xlsx', 'json', file)).toEqual([
    { Order: 1001, Customer: 'Müller & Söhne', Total: 19.99, Paid: true, Date: '2026-01-31T09:30:00.000Z' },
    { Order: 1002, Customer: 'Ann "A" Lee', Total: null, Paid: false, Date: '2026-02-01T00:00:00.000Z' },
  ]);
  expect(await converted('xlsx', 'json', file, { sheet: 'Notes', header: false })).toEqual([['x']]);
  expect(await converted('xlsx', 'csv', file, { columns: ['Order', 'Paid'] })).toBe(
    'Order,Paid\n1001,true\n1002,false\n',
  );
  expect(await failureOf(converted('xlsx', 'json', file, { sheet: 'None' }))).toBe(
    'CONVERT_FAILED: options.sheet: the file has no sheet None. Its sheets: Orders, Notes.',
  );
  expect(await failureOf(converted('xlsx', 'json', Buffer.from('x')))).toMatch(/^CONVERT_FAILED: The file is text/);
  expect(await failureOf(converted('xlsx', 'json', 'x'))).toMatch(/^CONVERT_FAILED: .*value of/);
});

it('writes spreadsheets, also large ones', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ n: index, t: `=text ${index}`, d: '2026-01-31' }));
  const file = await converted('json', 'xlsx', rows, { types: true, sheet: 'My [sheet]' });
  const back = (await converted('xlsx', 'json', file)) as unknown[];
  expect(back).toHaveLength(20_000);
  expect(back[1]).toEqual({ n: 1, t: '=text 1', d: '2026-01-31T00:00:00.000Z' });
});

it('reads XML without the entities that it declares', async () => {
  const text = '<!DOCTYPE r [<!ENTITY x "boom">]><r a="1 &lt;"><i>2 &amp; &x; &#65;</i><i><![CDATA[<z>]]></i><e/></r>';
  expect(await converted('xml', 'json', text)).toEqual({ r: { '@a': '1 <', i: ['2 & &x; A', '<z>'], e: '' } });
  expect(await converted('xml', 'json', '<r><i>7</i></r>', { lists: ['i'], types: true })).toEqual({ r: { i: [7] } });
  expect(await failureOf(converted('xml', 'json', '<a>\n<b></a>'))).toMatch(
    /^CONVERT_FAILED: The text is not XML: .*line 2/,
  );
});

it('writes XML', async () => {
  expect(await converted('json', 'xml', { r: { '@a': 'x"', i: [1, '<&>'] } }, { indent: 0 })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<r a="x&quot;"><i>1</i><i>&lt;&amp;&gt;</i></r>',
  );
  expect(await converted('json', 'xml', [1, 2], { root: 'list', indent: 0 })).toContain(
    '<list><item>1</item><item>2</item></list>',
  );
  expect(await failureOf(converted('json', 'xml', { 'a><b': 1 }))).toBe('CONVERT_FAILED: "a><b" is not a name of XML.');
});

it('reads HTML by selectors, as text and as Markdown', async () => {
  const html =
    '<title>T</title><h1> Hi </h1><script>x</script><p>a <b>b</b><ul><li><a href="/x?a=1&amp;b">1</a><li><a>2</a></ul>';
  expect(
    await converted('html', 'json', html, {
      select: {
        title: 'h1',
        links: { css: 'li a', attribute: 'href', all: true },
        none: 'h2',
        all: { css: 'li', all: true },
      },
    }),
  ).toEqual({ title: 'Hi', links: ['/x?a=1&b', null], none: null, all: ['1', '2'] });
  const form = '<p> a <b>b</b> </p><textarea>t</textarea><select><option>1<option selected>2</select>';
  expect(
    await converted('html', 'json', form, {
      select: {
        text: { css: 'p', read: 'fullText' },
        html: { css: 'p', read: 'html' },
        values: { css: 'textarea, select, p', read: 'value', all: true },
      },
    }),
  ).toEqual({ text: ' a b ', html: ' a <b>b</b> ', values: [null, 't', '2'] });
  expect(await converted('html', 'text', html)).toBe('Hi\n\na b\n\n1\n\n2');
  expect(await converted('html', 'markdown', html)).toContain('# Hi\n\na **b**');
  expect(await failureOf(converted('html', 'json', html, { select: { a: 'p[' } }))).toMatch(
    /^CONVERT_FAILED: options.select.a: /,
  );
});

it('writes HTML from Markdown, without code unless it is asked to keep it', async () => {
  const text =
    '# Hi\n\n<script>x</script>\n\n[a](javascript:alert(1)) [b](https://b.example) <i>c</i> ![d](java&#10;script:x)';
  const html = (await converted('markdown', 'html', text)) as string;
  expect(html).toContain('<h1>Hi</h1>\n&lt;script&gt;');
  expect(html).toContain('<a href="">a</a> <a href="https://b.example">b</a> &lt;i&gt;c&lt;/i&gt;');
  expect(html).not.toMatch(/<(script|i)\b|script:/);
  expect(await converted('markdown', 'html', text, { rawHtml: 'drop' })).not.toMatch(/script/);
  expect(await converted('markdown', 'html', text, { rawHtml: 'keep' })).toContain('<script>x</script>');
  expect(await converted('markdown', 'text', '# Hi\n\n**a** b')).toBe('Hi\n\na b');
});

it('writes tables as HTML and Markdown', async () => {
  expect(await converted('csv', 'html', 'a,<b>\n1,<script>')).toContain('<td>1</td><td>&lt;script&gt;</td>');
  expect(await converted('csv', 'markdown', 'a,b\n1,x|y')).toBe('| a | b |\n| --- | --- |\n| 1 | x\\|y |\n');
});

it('reads the text of PDF documents, and runs none of their scripts', async () => {
  expect(await converted('pdf', 'text', fixture('invoice.pdf'))).toMatch(
    /Invoice 2026-17[^]*Müller[^]*19\.99 EUR\n\nSecond page/,
  );
  expect(await converted('pdf', 'json', fixture('invoice.pdf'))).toHaveLength(2);
  expect(await converted('pdf', 'text', fixture('locked.pdf'), { password: 'open sesame' })).toContain('Second page');
  expect(await failureOf(converted('pdf', 'text', fixture('locked.pdf')))).toMatch(/^CONVERT_FAILED: .*[Pp]assword/);
  expect(await failureOf(converted('pdf', 'text', Buffer.from('no pdf')))).toMatch(
    /^CONVERT_FAILED: The file cannot be read as PDF/,
  );
});

it('unpacks archives: plain names, each once', async () => {
  const result = await convertAll({ from: 'zip', to: 'file', value: fixture('archive.zip') });
  expect('files' in result && result.files.map(({ name, content }) => [name, String(content)])).toEqual([
    ['a.txt', 'first'],
    ['a (2).txt', 'second'],
    ['passwd', 'third'],
    ['ü.csv', 'x,y\n1,2\n'],
    ['__proto__', 'fourth'],
  ]);
  expect(await failureOf(converted('zip', 'file', Buffer.from('no archive')))).toMatch(
    /^CONVERT_FAILED: The archive is not/,
  );
});

it('packs and unpacks gzip and Base64', async () => {
  expect(gunzipSync((await converted('text', 'gzip', 'häl')) as Buffer).toString()).toBe('häl');
  expect(await converted('gzip', 'text', gzipSync('häl'))).toBe('häl');
  expect(await converted('gzip', 'json', gzipSync('[1]'))).toEqual([1]);
  expect(await converted('text', 'base64', 'häl')).toBe('aMOkbA==');
  expect(await converted('file', 'base64', Buffer.from([0, 255]))).toBe('AP8=');
  expect(await converted('base64', 'file', 'data:image/png;base64,AP8=')).toEqual(Buffer.from([0, 255]));
  expect(await converted('base64', 'text', 'aMOk\nbA')).toBe('häl');
  expect(await failureOf(converted('base64', 'text', 'a*b'))).toBe('CONVERT_FAILED: The text is not Base64.');
  expect(await failureOf(converted('gzip', 'text', Buffer.from('x')))).toMatch(/^CONVERT_FAILED: The file is not gzip/);
});
