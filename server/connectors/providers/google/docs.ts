import { defineSteppedOperation, type ApiRequest, type OperationDefinition } from '../../operation';
import { booleanParameter, multilineParameter, pairsParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { driveIdParameter, extractDriveId } from './ids';

// https://developers.google.com/workspace/docs/api/reference/rest/v1
const DOCS_API = 'docs';
const googleDocumentId = driveIdParameter('Document', 'documents');
const documentText = multilineParameter('Text', 1_000_000).describe('Plain text');

// https://developers.google.com/workspace/docs/api/limits
const docsRateLimit = '300 reads and 60 writes a minute for a user.';
const documentChangeExample = { documentId: '195j9eDD3ccgjQRttHhJPymLJUCOUjs-jmwTrekvdjFE', replies: [{}] };

const batchUpdateDocument = (id: string, requests: object[]): ApiRequest => ({
  method: 'POST',
  api: DOCS_API,
  path: `/documents/${id}:batchUpdate`,
  body: { as: 'json', value: { requests } },
});

interface DocumentElement {
  paragraph?: { elements?: { textRun?: { content?: string } }[] };
  table?: { tableRows?: { tableCells?: { content?: DocumentElement[] }[] }[] };
}

/** The text of a document: paragraphs as lines, cells of a table separated by tabs. */
export function documentPlainText(elements: readonly DocumentElement[] = []): string {
  return elements
    .map(({ paragraph, table }) => {
      if (paragraph) return (paragraph.elements ?? []).map(({ textRun }) => textRun?.content ?? '').join('');
      const rows = table?.tableRows ?? [];
      return rows
        .map(
          ({ tableCells = [] }) =>
            `${tableCells.map((cell) => documentPlainText(cell.content).trimEnd()).join('\t')}\n`,
        )
        .join('');
    })
    .join('');
}

export const googleDocsOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'docs.get_text',
    title: 'Get the text of a document',
    help: 'Title and plain text, tables too.',
    limits: docsRateLimit,
    parameters: { document: googleDocumentId },
    *steps({ document: of }) {
      const id = extractDriveId(of);
      const { body } = yield { api: DOCS_API, path: `/documents/${id}` };
      return {
        id,
        title: getAtPath(body, 'title'),
        text: documentPlainText(getAtPath(body, 'body.content') as DocumentElement[] | undefined),
      };
    },
    example: { id: documentChangeExample.documentId, title: 'Minutes', text: 'Agenda\n' },
  }),
  defineSteppedOperation({
    id: 'docs.create',
    title: 'Create a document',
    help: 'In My Drive, with a text if one is given.',
    limits: docsRateLimit,
    parameters: {
      title: valueLineParameter('Title', 'new name', 500).describe('Name of the document'),
      text: documentText.optional(),
    },
    *steps({ title, text: given = '' }) {
      const made = yield { method: 'POST', api: DOCS_API, path: '/documents', body: { as: 'json', value: { title } } };
      const id = String(getAtPath(made.body, 'documentId'));
      if (given !== '') yield batchUpdateDocument(id, [{ insertText: { text: given, endOfSegmentLocation: {} } }]);
      return { id, title, url: `https://docs.google.com/document/d/${id}/edit` };
    },
    example: {
      id: documentChangeExample.documentId,
      title: 'Minutes',
      url: `https://docs.google.com/document/d/${documentChangeExample.documentId}/edit`,
    },
  }),
  defineSteppedOperation({
    id: 'docs.append_text',
    title: 'Append a text',
    help: 'Adds a text at the end of a document.',
    limits: docsRateLimit,
    parameters: { document: googleDocumentId, text: documentText },
    *steps({ document: of, text: given }) {
      return (yield batchUpdateDocument(extractDriveId(of), [
        { insertText: { text: given, endOfSegmentLocation: {} } },
      ])).body;
    },
    example: documentChangeExample,
  }),
  defineSteppedOperation({
    id: 'docs.replace_text',
    title: 'Replace texts',
    help: 'Fills in a template: each text is replaced wherever it occurs.',
    limits: docsRateLimit,
    parameters: {
      document: googleDocumentId,
      replacements: pairsParameter('Replacements').describe(
        'A text of the document, e.g. {{name}}, and what replaces it',
      ),
      matchesCase: booleanParameter('Match case').optional().describe('Default: upper and lower case differ'),
    },
    *steps({ document: of, replacements, matchesCase: matchCase = true }) {
      const requests = Object.entries(replacements).map(([found, value]) => ({
        replaceAllText: { containsText: { text: found, matchCase }, replaceText: String(value ?? '') },
      }));
      return (yield batchUpdateDocument(extractDriveId(of), requests)).body;
    },
    example: { ...documentChangeExample, replies: [{ replaceAllText: { occurrencesChanged: 2 } }] },
  }),
  defineSteppedOperation({
    id: 'docs.get',
    title: 'Get a document',
    help: 'The whole structure as the API returns it.',
    limits: docsRateLimit,
    parameters: { document: googleDocumentId },
    *steps({ document: of }) {
      return (yield { api: DOCS_API, path: `/documents/${extractDriveId(of)}` }).body;
    },
    example: { documentId: documentChangeExample.documentId, title: 'Minutes', body: { content: [] } },
  }),
];
