import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { readMailMessage } from './mail';
import { declareCharsets } from './mail-charsets';

const bytesOf = (lines: readonly (string | Buffer)[]) =>
  Buffer.concat(lines.flatMap((line) => [typeof line === 'string' ? Buffer.from(line) : line, Buffer.from('\r\n')]));
const parse = async (...lines: (string | Buffer)[]) => (await readMailMessage(bytesOf(lines), true)).mail;
const latin = (text: string) => iconv.encode(text, 'windows-1252');

describe('8-bit text that names no encoding, or a wrong one', () => {
  test('in headers', async () => {
    const mail = await parse(
      latin('From: Jürgen Groß <j@example.com>'),
      latin('Subject: Bestätigung – 5 €'),
      'To: "Zoë" <z@example.com>',
      '',
      'x',
    );
    expect(mail).toMatchObject({ from: 'Jürgen Groß <j@example.com>', subject: 'Bestätigung – 5 €' });
    expect(mail.to).toEqual(['Zoë <z@example.com>']);
    const type = 'Content-Type: text/plain; charset=windows-1251';
    const cyrillic = iconv.encode('Subject: Привет', 'windows-1251');
    expect(await parse(cyrillic, type, '', iconv.encode('Мир', 'windows-1251'))).toMatchObject({
      subject: 'Привет',
      text: 'Мир\n',
    });
  });

  test.each<[string, string[], Buffer]>([
    ['no header at all', ['Subject: x'], latin('Grüße – 5 €')],
    ['no charset', ['Content-Type: text/plain'], latin('Grüße – 5 €')],
    ['one that is not known', ['Content-Type: text/plain; charset=x-unknown'], latin('Grüße – 5 €')],
    ['US-ASCII', ['Content-Type: text/plain; charset="us-ascii"; format=fixed'], latin('Grüße – 5 €')],
    ['UTF-8', ['Content-Type: text/plain;', ' charset=utf-8'], latin('Grüße – 5 €')],
    [
      'none, in quoted-printable',
      ['Content-Transfer-Encoding: quoted-printable'],
      Buffer.from('Gr=FC=\r\n=DFe =96 5 =80'),
    ],
    ['none, in Base64', ['Content-Transfer-Encoding: base64'], Buffer.from(latin('Grüße – 5 €').toString('base64'))],
    ['none, and it is UTF-8', ['Content-Type: text/plain'], Buffer.from('Grüße – 5 €')],
    ['a right one', ['Content-Type: text/plain; charset=iso-8859-15'], iconv.encode('Grüße - 5 €', 'iso-8859-15')],
  ])('in a body with %s', async (_, headers, body) => {
    const { text } = await parse('From: a@example.com', ...headers, '', body);
    expect(text.trim().replace('-', '–')).toBe('Grüße – 5 €');
  });

  test('in parts, also nested ones', async () => {
    const mail = await parse(
      'Content-Type: multipart/mixed; boundary="out er"',
      '',
      'preamble',
      '--out er',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain',
      '',
      latin('Grüße'),
      '--inner',
      'Content-Type: text/html; charset=iso-8859-1',
      '',
      latin('<p>Grüße</p>'),
      '--inner--',
      '--out er',
      latin('Content-Type: application/pdf; name="Übersicht.pdf"'),
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERg==',
      '--out er--',
    );
    expect(mail.text.trim()).toBe('Grüße');
    expect(mail.html?.trim()).toBe('<p>Grüße</p>');
    expect(mail.attachments).toEqual([{ name: 'Übersicht.pdf', contentType: 'application/pdf' }]);
  });

  test('messages that declare their encodings stay as they are, whatever their parts are', () => {
    const line = fc.constantFrom(
      '',
      '--b',
      '--b--',
      '--b ',
      'Content-Type: multipart/mixed; boundary=b',
      'Subject: ü',
      'x',
      '--',
      '-',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const mail = Buffer.from(lines.join(end));
        expect(declareCharsets(mail).equals(mail)).toBe(true);
      }),
    );
  });
});

test.each([
  ["Content-Disposition: attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf", 'résumé.pdf'],
  ['Content-Disposition: attachment; filename*0*=iso-8859-1\'\'na%EFve;\r\n filename*1=" file.pdf"', 'naïve file.pdf'],
  ['Content-Disposition: attachment; filename="=?utf-8?B?w5xiZXI=?= =?utf-8?Q?sicht.pdf?="', 'Übersicht.pdf'],
  ['Content-Disposition: attachment; filename="日本.pdf"', '日本.pdf'],
  ['Content-Disposition: attachment; filename="a\\"b.pdf"', 'a"b.pdf'],
])('the name of %s is %s', async (header, name) => {
  const mail = await parse('Content-Type: application/pdf', header, '', '%PDF');
  expect(mail.attachments).toEqual([{ name, contentType: 'application/pdf' }]);
});

test('parts without a name get one with the end of their type', async () => {
  const types = [
    'application/pdf',
    'image/jpeg',
    'text/calendar; method=REQUEST',
    'application/ms-tnef',
    'message/rfc822',
    'text/csv',
    'application/x-what',
  ];
  const parts = types.flatMap((type) => [
    '--b',
    `Content-Type: ${type}`,
    'Content-Disposition: attachment',
    '',
    'Subject: inner',
    '',
    'x',
  ]);
  const { mail, contents } = await readMailMessage(
    bytesOf(['Content-Type: multipart/mixed; boundary=b', '', ...parts, '--b--']),
    true,
  );
  expect(mail.attachments.map(({ name }) => name)).toEqual([
    'attachment-1.pdf',
    'attachment-2.jpg',
    'invite-3.ics',
    'winmail-4.dat',
    'message-5.eml',
    'attachment-6.csv',
    'attachment-7.bin',
  ]);
  // A nested message is a file as it was sent.
  expect(String(contents[4])).toContain('Subject: inner');
});

test('an invitation beside the text is a file in UTF-8', async () => {
  const lines = [
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'You are invited',
    '--b',
    'Content-Type: text/calendar; charset=iso-8859-1; method=REQUEST',
    '',
    latin('BEGIN:VCALENDAR\r\nSUMMARY:Größe\r\nEND:VCALENDAR'),
    '--b--',
  ];
  const { mail, contents } = await readMailMessage(bytesOf(lines), true);
  expect(mail).toMatchObject({
    text: 'You are invited\n',
    attachments: [{ name: 'invite-1.ics', contentType: 'text/calendar' }],
  });
  expect(String(contents[0])).toContain('SUMMARY:Größe');
});
