import type { FileValue } from '@/contract/file-value';
import {
  defineSteppedOperation,
  type ApiResponse,
  type ApiRequest,
  type OperationDefinition,
  type OperationSteps,
} from '../../operation';
import { choiceParameter, fileParameter, multilineParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  DRIVE_API,
  newFileMetadata,
  DRIVE_FILE_FIELDS,
  driveFolderId,
  driveRateLimit,
  driveFileExample,
  driveFilePath,
  sharedDriveQuery,
} from './drive-parts';
import { driveIdParameter } from './ids';

const contentFileId = driveIdParameter('File', 'files');

/** The beginning of the types of documents of Google. */
const GOOGLE_TYPE_PREFIX = 'application/vnd.google-apps.';
/** The format in which a kind of document is exported. */
const DEFAULT_EXPORT_FORMATS: Readonly<Record<string, keyof typeof EXPORT_MIME_TYPES>> = {
  document: 'docx',
  spreadsheet: 'xlsx',
  presentation: 'pptx',
};

// https://developers.google.com/workspace/drive/api/guides/ref-export-formats
const EXPORT_MIME_TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  txt: 'text/plain',
  html: 'text/html',
};

/** Sends the content of a file to the address that the API returns for it, in one request of any size. */
function* uploadDriveContent(start: ApiRequest, content: FileValue): OperationSteps {
  const begun: ApiResponse = yield start;
  return (yield contentUploadRequest(begun, content)).body;
}

const contentUploadRequest = (begun: ApiResponse, content: FileValue): ApiRequest => ({
  method: 'PUT',
  api: 'drive_upload',
  path: begun.headers['location'] ?? '',
  body: { as: 'file', file: content },
});

/** Operations with the content of files. */
export const driveContentOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'drive.download',
    title: 'Download a file',
    help: 'Stores the content as a file of the run; documents of Google are exported.',
    limits: `${driveRateLimit} Exports are at most 10 MB.`,
    parameters: {
      file: contentFileId,
      format: choiceParameter('Format', ['pdf', 'docx', 'xlsx', 'csv', 'pptx', 'txt', 'html'])
        .optional()
        .describe('Of an exported document; default docx, xlsx, pptx or pdf by its kind'),
    },
    *steps({ file: of, format }) {
      const { body } = yield {
        api: DRIVE_API,
        path: driveFilePath(of),
        query: { ...sharedDriveQuery, fields: 'name,mimeType' },
      };
      const [name, type] = [String(getAtPath(body, 'name')), String(getAtPath(body, 'mimeType'))];
      if (!type.startsWith(GOOGLE_TYPE_PREFIX)) {
        return (yield {
          api: DRIVE_API,
          path: driveFilePath(of),
          query: { ...sharedDriveQuery, alt: 'media' },
          asFile: { name, contentType: type },
        }).body;
      }
      const wanted = format ?? DEFAULT_EXPORT_FORMATS[type.slice(GOOGLE_TYPE_PREFIX.length)] ?? 'pdf';
      const contentType = EXPORT_MIME_TYPES[wanted];
      const asFile = { name: `${name}.${wanted}`, contentType };
      return (yield { api: DRIVE_API, path: `${driveFilePath(of)}/export`, query: { mimeType: contentType }, asFile })
        .body;
    },
    example: { $file: 'file_…', name: 'report.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  defineSteppedOperation({
    id: 'drive.upload',
    title: 'Upload a file',
    help: 'Stores a file of the run in a folder.',
    limits: driveRateLimit,
    parameters: {
      file: fileParameter('File'),
      folder: driveFolderId,
      name: valueLineParameter('Name', 'new name', 500).optional().describe('Default: the name of the file'),
    },
    *steps({ file: content, folder: parent, name }) {
      return yield* uploadDriveContent(
        {
          method: 'POST',
          api: 'drive_upload',
          path: '/files',
          query: { ...sharedDriveQuery, uploadType: 'resumable', fields: DRIVE_FILE_FIELDS },
          headers: { 'X-Upload-Content-Type': content.contentType, 'X-Upload-Content-Length': String(content.size) },
          body: { as: 'json', value: newFileMetadata(name ?? content.name, parent) },
        },
        content,
      );
    },
    example: driveFileExample,
  }),
  defineSteppedOperation({
    id: 'drive.replace_content',
    title: 'Replace the content of a file',
    help: 'The file keeps its id and address; the old content stays as a revision for 30 days.',
    limits: driveRateLimit,
    parameters: { file: contentFileId, content: fileParameter('Content') },
    *steps({ file: of, content }) {
      return yield* uploadDriveContent(
        {
          method: 'PATCH',
          api: 'drive_upload',
          path: driveFilePath(of),
          query: { ...sharedDriveQuery, uploadType: 'resumable', fields: DRIVE_FILE_FIELDS },
          headers: { 'X-Upload-Content-Type': content.contentType, 'X-Upload-Content-Length': String(content.size) },
          body: { as: 'json', value: {} },
        },
        content,
      );
    },
    example: driveFileExample,
  }),
  defineSteppedOperation({
    id: 'drive.create_text_file',
    title: 'Create a text file',
    help: 'Stores a text in a folder.',
    limits: driveRateLimit,
    parameters: {
      name: valueLineParameter('Name', 'new name', 500).describe('e.g. notes.txt'),
      text: multilineParameter('Text', 5_000_000).describe('Content of the file'),
      folder: driveFolderId,
    },
    *steps({ name, text: content, folder: parent }) {
      const boundary = 'weft-file-and-its-metadata';
      const pieces = [
        `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(newFileMetadata(name, parent))}\r\n`,
        `--${boundary}\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\n`,
        `${Buffer.from(content).toString('base64')}\r\n--${boundary}--\r\n`,
      ];
      return (yield {
        method: 'POST',
        api: 'drive_upload',
        path: '/files',
        query: { ...sharedDriveQuery, uploadType: 'multipart', fields: DRIVE_FILE_FIELDS },
        body: { as: 'pieces', type: `multipart/related; boundary=${boundary}`, pieces },
      }).body;
    },
    example: { ...driveFileExample, name: 'notes.txt', mimeType: 'text/plain' },
  }),
];
