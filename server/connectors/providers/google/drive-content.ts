import type { FileValue } from '@/contract/file-value';
import { stepped, type ApiAnswer, type ApiRequest, type ConnectorOperation, type Steps } from '../../operation';
import { choice, file, text, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';
import { api, facts, FIELDS, folder, limits, one, pathOf, shared } from './drive-parts';
import { fileId } from './ids';

const target = fileId('File');

/** The beginning of the types of documents of Google. */
const GOOGLE = 'application/vnd.google-apps.';
/** The format in which a kind of document is exported. */
const NATIVE: Readonly<Record<string, keyof typeof EXPORTS>> = {
  document: 'docx',
  spreadsheet: 'xlsx',
  presentation: 'pptx',
};

// https://developers.google.com/workspace/drive/api/guides/ref-export-formats
const EXPORTS = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  txt: 'text/plain',
  html: 'text/html',
};

/** Sends the content of a file to the address that the API returns for it, in one request of any size. */
function* upload(start: ApiRequest, content: FileValue): Steps {
  const begun: ApiAnswer = yield start;
  return (yield sending(begun, content)).body;
}

const sending = (begun: ApiAnswer, content: FileValue): ApiRequest => ({
  method: 'PUT',
  api: 'drive_upload',
  path: begun.headers['location'] ?? '',
  body: { as: 'file', file: content },
});

/** Operations with the content of files. */
export const driveContent: ConnectorOperation[] = [
  stepped({
    id: 'drive.download',
    title: 'Download a file',
    help: 'Stores the content as a file of the run; documents of Google are exported.',
    limits: `${limits} Exports are at most 10 MB.`,
    parameters: {
      file: target,
      format: choice('Format', ['pdf', 'docx', 'xlsx', 'csv', 'pptx', 'txt', 'html'])
        .optional()
        .describe('Of an exported document; default docx, xlsx, pptx or pdf by its kind'),
    },
    *steps({ file: of, format }) {
      const { body } = yield { api, path: pathOf(of), query: { ...shared, fields: 'name,mimeType' } };
      const [name, type] = [String(at(body, 'name')), String(at(body, 'mimeType'))];
      if (!type.startsWith(GOOGLE)) {
        return (yield {
          api,
          path: pathOf(of),
          query: { ...shared, alt: 'media' },
          asFile: { name, contentType: type },
        }).body;
      }
      const wanted = format ?? NATIVE[type.slice(GOOGLE.length)] ?? 'pdf';
      const contentType = EXPORTS[wanted];
      const asFile = { name: `${name}.${wanted}`, contentType };
      return (yield { api, path: `${pathOf(of)}/export`, query: { mimeType: contentType }, asFile }).body;
    },
    example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  stepped({
    id: 'drive.upload',
    title: 'Upload a file',
    help: 'Stores a file of the run in a folder.',
    limits,
    parameters: {
      file: file('File'),
      folder,
      name: word('Name', 500).optional().describe('Default: the name of the file'),
    },
    *steps({ file: content, folder: parent, name }) {
      return yield* upload(
        {
          method: 'POST',
          api: 'drive_upload',
          path: '/files',
          query: { ...shared, uploadType: 'resumable', fields: FIELDS },
          headers: { 'X-Upload-Content-Type': content.contentType, 'X-Upload-Content-Length': String(content.size) },
          body: { as: 'json', value: facts(name ?? content.name, parent) },
        },
        content,
      );
    },
    example: one,
  }),
  stepped({
    id: 'drive.replace_content',
    title: 'Replace the content of a file',
    help: 'The file keeps its id and address; the old content stays as a revision for 30 days.',
    limits,
    parameters: { file: target, content: file('Content') },
    *steps({ file: of, content }) {
      return yield* upload(
        {
          method: 'PATCH',
          api: 'drive_upload',
          path: pathOf(of),
          query: { ...shared, uploadType: 'resumable', fields: FIELDS },
          headers: { 'X-Upload-Content-Type': content.contentType, 'X-Upload-Content-Length': String(content.size) },
          body: { as: 'json', value: {} },
        },
        content,
      );
    },
    example: one,
  }),
  stepped({
    id: 'drive.create_text_file',
    title: 'Create a text file',
    help: 'Stores a text in a folder.',
    limits,
    parameters: {
      name: word('Name', 500).describe('e.g. notes.txt'),
      text: text('Text', 5_000_000).describe('Content of the file'),
      folder,
    },
    *steps({ name, text: content, folder: parent }) {
      const boundary = 'weft-file-and-its-metadata';
      const pieces = [
        `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(facts(name, parent))}\r\n`,
        `--${boundary}\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
        `${Buffer.from(content).toString('base64')}\r\n--${boundary}--\r\n`,
      ];
      return (yield {
        method: 'POST',
        api: 'drive_upload',
        path: '/files',
        query: { ...shared, uploadType: 'multipart', fields: FIELDS },
        body: { as: 'pieces', type: `multipart/related; boundary=${boundary}`, pieces },
      }).body;
    },
    example: { ...one, name: 'notes.txt', mimeType: 'text/plain' },
  }),
];
