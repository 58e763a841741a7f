import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import type { FileValue } from '@/contract/file-value';
import { prismaClient } from '@/server/platform/db/client';
import { useWorker } from '@/server/testing/worker';
import { fixture } from '@/server/evaluation/evaluator/testing/convert';
import { storeUpload } from '@/server/data/files/store';
import { openFileStorage } from '@/server/data/files/storage';
import { useDatabase } from '@/server/testing/database';
import { buildUser, buildWorkflow, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { startRun } from '@/server/testing/runs';

useDatabase();
useWorker({ concurrency: 20, graceMs: 200 });

let user: TestUser;

beforeEach(async () => {
  user = await buildUser();
});

const upload = (content: Buffer, name: string, { workspaceId } = user, contentType = 'application/octet-stream') =>
  storeUpload(
    (async function* () {
      yield content;
    })(),
    { workspaceId, name, contentType },
  );

async function convert(config: Record<string, unknown>, input: object = {}) {
  const node = { type: 'convert', config: { value: '{{ input.file }}', ...config } };
  const definition = flow({ s: { type: 'start' }, node }, ['s>node']);
  const workflowId = await buildWorkflow({ workspaceId: user.workspaceId, definition });
  const started = await startRun({ workspaceId: user.workspaceId, workflowId }, input);
  const { status, error, output } = await started.finish();
  return { id: started.executionId, status, error, output };
}

async function contentOf({ $file }: FileValue): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of (await openFileStorage().read($file))!) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

test('a CSV file becomes a spreadsheet, and that a list', async () => {
  const file = await upload(Buffer.from('a;b\n1;=x\n'), 'list.of.orders.csv');
  const { id, output } = await convert({ from: 'csv', to: 'xlsx', options: { types: true } }, { file });
  expect(output).toMatchObject({
    name: 'list.of.orders.xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  });
  expect(await prismaClient().fileUse.count({ where: { executionId: id, fileId: (output as FileValue).$file } })).toBe(
    1,
  );
  const back = await convert({ from: 'xlsx', to: 'json' }, { file: output });
  expect(back.output).toEqual([{ a: 1, b: '=x' }]);
});

test('a result becomes a file with the name and type of the options', async () => {
  const { output } = await convert({
    value: [{ a: 1 }],
    from: 'json',
    to: 'csv',
    options: { asFile: true, name: 'x.csv' },
  });
  expect(output).toMatchObject({ name: 'x.csv', contentType: 'text/csv', size: 4 });
  const decoded = await convert({ value: 'AP8=', from: 'base64', to: 'file', options: { contentType: 'image/png' } });
  expect(decoded.output).toMatchObject({ name: 'converted.bin', contentType: 'image/png', size: 2 });
});

test('an archive becomes files, and files an archive', async () => {
  const file = await upload(fixture('archive.zip'), 'archive.zip');
  const { output } = await convert({ from: 'zip', to: 'json' }, { file });
  const files = output as FileValue[];
  expect(files.map(({ name, contentType }) => [name, contentType])).toEqual([
    ['a.txt', 'text/plain'],
    ['a (2).txt', 'text/plain'],
    ['passwd', 'application/octet-stream'],
    ['ü.csv', 'text/csv'],
    ['__proto__', 'application/octet-stream'],
  ]);
  expect(String(await contentOf(files[1]!))).toBe('second');
  const value = [files[0], { name: 'note.txt', text: 'hä' }, { name: 'a.txt', file: files[1] }];
  const packed = await convert(
    { value: '{{ input.list }}', from: 'file', to: 'zip', options: { name: 'all.zip' } },
    { list: value },
  );
  expect(packed.output).toMatchObject({ name: 'all.zip', contentType: 'application/zip' });
  const again = await convert({ from: 'zip', to: 'file' }, { file: packed.output });
  const contents = await Promise.all((again.output as FileValue[]).map(contentOf));
  expect((again.output as FileValue[]).map(({ name }) => name)).toEqual(['a.txt', 'note.txt', 'a (2).txt']);
  expect(contents.map(String)).toEqual(['first', 'hä', 'second']);
});

test('gzip keeps the name of the file inside', async () => {
  const file = await upload(Buffer.from('x,y'), 'list.csv');
  const { output } = await convert({ from: 'csv', to: 'gzip' }, { file });
  expect(output).toMatchObject({ name: 'list.csv.gz', contentType: 'application/gzip' });
  expect(String(gunzipSync(await contentOf(output as FileValue)))).toBe('x,y');
  const back = await convert({ from: 'gzip', to: 'file' }, { file: output });
  expect(back.output).toMatchObject({ name: 'list.csv', contentType: 'text/csv', size: 3 });
});

test('values beyond 64 KiB and results beyond the limit of a value', async () => {
  const rows = Array.from({ length: 5000 }, (_, n) => ({ n, text: `text ${n}` }));
  const text = rows.map(({ n, text: one }) => `${n},${one}`).join('\n');
  const { output } = await convert(
    { value: '{{ input.text }}', from: 'csv', to: 'json', options: { types: true } },
    { text: `n,text\n${text}` },
  );
  expect(output).toEqual(rows);
  const file = await upload(Buffer.from(`${'name'.repeat(50)}\n${'1\n'.repeat(100_000)}`), 'many.csv');
  expect((await convert({ from: 'csv', to: 'json' }, { file })).error).toMatchObject({ code: 'OUTPUT_TOO_LARGE' });
  const stored = await convert({ from: 'csv', to: 'ndjson', options: { asFile: true } }, { file });
  expect(stored.output).toMatchObject({ name: 'many.ndjson', contentType: 'application/x-ndjson' });
});

test('files of other workspaces and files beyond the limit are refused', async () => {
  const foreign = await upload(Buffer.from('secret'), 'x', await buildUser());
  expect((await convert({ from: 'text', to: 'base64' }, { file: foreign })).error?.code).toBe('FILE_NOT_FOUND');
  const zipped = await convert({ value: '{{ [input.file] }}', from: 'file', to: 'zip' }, { file: foreign });
  expect(zipped.error?.code).toBe('FILE_NOT_FOUND');
  const large = await upload(Buffer.from('x'), 'x');
  await prismaClient().file.update({ where: { id: large.$file }, data: { size: 51 * 1024 * 1024 } });
  expect((await convert({ from: 'text', to: 'base64' }, { file: large })).error?.code).toBe('TOO_LARGE');
});

test('a pair that is not possible is refused when the workflow is saved', async () => {
  const definition = flow(
    { s: { type: 'start' }, node: { type: 'convert', config: { value: 'x', from: 'pdf', to: 'xlsx' } } },
    ['s>node'],
  );
  const { status, body } = await call<{ error: { details: { field: string; message: string }[] } }>(
    'POST',
    '/api/workflows',
    {
      token: user.token,
      body: { name: 'x', definition },
    },
  );
  expect(status).toBe(400);
  expect(body.error.details).toEqual([
    {
      field: 'nodes[1].config.to',
      message: expect.stringContaining('pdf cannot become xlsx'),
    },
  ]);
});

test('a message in a file is read with its attachments', async () => {
  const lines = [
    'From: Ada <ada@example.com>',
    'Subject: Gr\xfc\xdfe',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Hi',
    '--b',
    'Content-Type: text/csv',
    'Content-Disposition: attachment',
    '',
    'a,b',
    '--b--',
  ];
  const file = await upload(Buffer.from(lines.join('\r\n'), 'latin1'), 'one.eml');
  const { output } = await convert({ from: 'eml', to: 'json' }, { file });
  expect(output).toMatchObject({
    from: 'Ada <ada@example.com>',
    subject: 'Grüße',
    text: 'Hi\n',
    attachments: [{ name: 'attachment-1.csv', contentType: 'text/csv' }],
  });
  const [attachment] = (output as { attachments: FileValue[] }).attachments;
  expect(String(await contentOf(attachment!))).toBe('a,b\n');
  expect((await convert({ from: 'eml', to: 'text' }, { file })).output).toBe('Hi\n');
  const text = await convert({ from: 'eml', to: 'json', value: 'Subject: x\n\ny' });
  expect(text.output).toMatchObject({ subject: 'x', text: 'y\n', attachments: [] });
});

test('the charset of the type of a file is that of its text', async () => {
  const content = Buffer.from('a;b\n\xfc;1', 'latin1');
  const file = await upload(content, 'a.csv', user, 'text/csv; charset=ISO-8859-1');
  expect((await convert({ from: 'csv', to: 'json' }, { file })).output).toEqual([{ a: 'ü', b: '1' }]);
});
