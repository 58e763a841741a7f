import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { readMultipartForm, type MultipartOptions } from './multipart';

const TYPE = 'multipart/form-data; boundary=b';
const part = (head: string, content: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const END = '--b--\r\n';

/** Reads a form that arrives in parts of this length. */
const read = (
  text: string | Buffer,
  { step = 7, onFile = keep, ...limits }: Partial<MultipartOptions> & { step?: number } = {},
) => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
  return readMultipartForm(Readable.from(parts), TYPE, { onFile, ...limits });
};

const keep: MultipartOptions['onFile'] = async (_, { name, content }) => [
  name,
  String(await buffer(Readable.from(content))),
];

test.each([1, 7, 1000])('fields and files in their order, in parts of %i bytes', async (step) => {
  const text =
    part('name="a"', '1') +
    part('name="f"; filename="é.txt"', 'a --b is\r\nno end') +
    part('name="f"; filename="empty.txt"', '') +
    part('name="none"; filename=""\r\nContent-Type: application/octet-stream', '') +
    part('name="__proto__"', 'x');
  expect(await read(text + END, { step })).toEqual([
    ['a', '1'],
    ['f', ['é.txt', 'a --b is\r\nno end']],
    ['f', ['empty.txt', '']],
    ['none', null],
    ['__proto__', 'x'],
  ]);
});

test('fields in the encoding of the sender', async () => {
  const values = async (form: string | Buffer) => Object.fromEntries(await read(form));
  expect(await values(part('name="a"', 'Grüße €') + END)).toEqual({ a: 'Grüße €' });
  const named = part('name="a"\r\nContent-Type: text/plain; charset=utf-8', 'ü') + part('name="b"', 'é') + END;
  expect(await values(named)).toEqual({ a: 'ü', b: 'é' });
  const latin = part('name="a"', 'Gr\xfc\xdfe \x80') + END;
  expect(await values(Buffer.from(latin, 'latin1'))).toEqual({ a: 'Grüße €' });
  const cyrillic = part('name="a"', '\xcf\xf0\xe8') + part('name="_charset_"', 'windows-1251') + END;
  expect(await values(Buffer.from(cyrillic, 'latin1'))).toEqual({ a: 'При', _charset_: 'windows-1251' });
  const broken = part('name="a"', '\x82') + part('name="_charset_"', 'shift_jis') + END;
  await expect(read(Buffer.from(broken, 'latin1'))).rejects.toThrow('The form cannot be read.');
});

describe('refuses', () => {
  const file = part('name="f"; filename="a"', 'x'.repeat(100_000));
  const field = part('name="a"', 'x'.repeat(100));

  test.each([
    ['a form that ends inside a file', file.slice(0, 50_000), {}],
    ['a form without its end', field, {}],
    ['no form', 'hello', {}],
    ['too many fields', field.repeat(4) + END, { maxFields: 3 }],
    ['too many bytes of fields', field.repeat(4) + END, { maxFieldBytes: 350 }],
    ['a field that is too long', field + END, { maxFieldBytes: 50 }],
    ['too many files', file.repeat(3) + END, { maxFiles: 2 }],
    ['a part without a name', part('x="a"', '1') + END, {}],
    ['a file without a name', part('filename="a.txt"', '1') + END, {}],
  ])('%s', async (_, text, limits) => {
    await expect(read(text, { step: 1000, ...limits })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('a file that its reader refuses, with the reader’s error', async () => {
    const onFile = async () => {
      throw new RangeError('no room');
    };
    await expect(read(file + file + END, { step: 1000, onFile })).rejects.toThrow('no room');
  });

  test('a source that fails, and tells the reader of the file', async () => {
    let told: unknown;
    const source = Readable.from(
      (async function* () {
        yield Buffer.from(file.slice(0, 50_000));
        throw new Error('hung up');
      })(),
    );
    const onFile: MultipartOptions['onFile'] = (name, content) =>
      keep(name, content).catch((error: unknown) => {
        told = error;
        throw error;
      });
    await expect(readMultipartForm(source, TYPE, { onFile })).rejects.toThrow('hung up');
    expect(told).toBeInstanceOf(Error);
  });

  test('a type without a boundary', async () => {
    await expect(readMultipartForm(Readable.from([]), 'multipart/form-data', { onFile: keep })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

test('any damaged form is answered', async () => {
  const whole = part('name="a"', '1') + part('name="f"; filename="é.txt"', 'content') + part('name="b"', '') + END;
  const insertions = [
    '\r\n',
    '--b',
    '--b--',
    ';',
    '"',
    '=',
    '\0',
    'Content-Disposition: form-data\r\n\r\n',
    '\r\n\r\n',
  ];
  const damaged = Array.from({ length: whole.length }, (_, at) => [
    whole.slice(0, at),
    whole.slice(0, at) + whole.slice(at + 1),
    whole.slice(0, at) + (insertions[at % insertions.length] ?? '') + whole.slice(at),
  ]).flat();
  const outcomes = await Promise.allSettled(damaged.map((text, index) => read(text, { step: (index % 40) + 1 })));
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  for (const reason of reasons) expect(reason).toMatchObject({ code: 'VALIDATION_ERROR' });
});
