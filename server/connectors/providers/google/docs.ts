import { stepped, type ApiRequest, type ConnectorOperation } from '../../operation';
import { flag, pairs, text, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';
import { fileId, idIn } from './ids';

// https://developers.google.com/workspace/docs/api/reference/rest/v1
const api = 'docs';
const document = fileId('Document');
const content = text('Text', 1_000_000).describe('Plain text');

// https://developers.google.com/workspace/docs/api/limits
const limits = '300 reads and 60 writes a minute for a user.';
const written = { documentId: '195j9eDD3ccgjQRttHhJPymLJUCOUjs-jmwTrekvdjFE', replies: [{}] };

const change = (id: string, requests: object[]): ApiRequest => ({
  method: 'POST',
  api,
  path: `/documents/${id}:batchUpdate`,
  body: { as: 'json', value: { requests } },
});

interface Element {
  paragraph?: { elements?: { textRun?: { content?: string } }[] };
  table?: { tableRows?: { tableCells?: { content?: Element[] }[] }[] };
}

/** The text of a document: paragraphs as lines, cells of a table separated by tabs. */
export function textOf(elements: readonly Element[] = []): string {
  return elements
    .map(({ paragraph, table }) => {
      if (paragraph) return (paragraph.elements ?? []).map(({ textRun }) => textRun?.content ?? '').join('');
      const rows = table?.tableRows ?? [];
      return rows
        .map(({ tableCells = [] }) => `${tableCells.map((cell) => textOf(cell.content).trimEnd()).join('\t')}\n`)
        .join('');
    })
    .join('');
}

export const docs: ConnectorOperation[] = [
  stepped({
    id: 'docs.get_text',
    title: 'Get the text of a document',
    help: 'Title and plain text, tables too.',
    limits,
    parameters: { document },
    *steps({ document: of }) {
      const id = idIn(of);
      const { body } = yield { api, path: `/documents/${id}` };
      return { id, title: at(body, 'title'), text: textOf(at(body, 'body.content') as Element[] | undefined) };
    },
    example: { id: written.documentId, title: 'Minutes', text: 'Agenda\n' },
  }),
  stepped({
    id: 'docs.create',
    title: 'Create a document',
    help: 'In My Drive, with a text if one is given.',
    limits,
    parameters: { title: word('Title', 500).describe('Name of the document'), text: content.optional() },
    *steps({ title, text: given = '' }) {
      const made = yield { method: 'POST', api, path: '/documents', body: { as: 'json', value: { title } } };
      const id = String(at(made.body, 'documentId'));
      if (given !== '') yield change(id, [{ insertText: { text: given, endOfSegmentLocation: {} } }]);
      return { id, title, url: `https://docs.google.com/document/d/${id}/edit` };
    },
    example: {
      id: written.documentId,
      title: 'Minutes',
      url: `https://docs.google.com/document/d/${written.documentId}/edit`,
    },
  }),
  stepped({
    id: 'docs.append_text',
    title: 'Append a text',
    help: 'Adds a text at the end of a document.',
    limits,
    parameters: { document, text: content },
    *steps({ document: of, text: given }) {
      return (yield change(idIn(of), [{ insertText: { text: given, endOfSegmentLocation: {} } }])).body;
    },
    example: written,
  }),
  stepped({
    id: 'docs.replace_text',
    title: 'Replace texts',
    help: 'Fills in a template: each text is replaced wherever it occurs.',
    limits,
    parameters: {
      document,
      replacements: pairs('Replacements').describe('A text of the document, e.g. {{name}}, and what replaces it'),
      matchesCase: flag('Match case').optional().describe('Default: upper and lower case differ'),
    },
    *steps({ document: of, replacements, matchesCase: matchCase = true }) {
      const requests = Object.entries(replacements).map(([found, value]) => ({
        replaceAllText: { containsText: { text: found, matchCase }, replaceText: String(value ?? '') },
      }));
      return (yield change(idIn(of), requests)).body;
    },
    example: { ...written, replies: [{ replaceAllText: { occurrencesChanged: 2 } }] },
  }),
  stepped({
    id: 'docs.get',
    title: 'Get a document',
    help: 'The whole structure as the API returns it.',
    limits,
    parameters: { document },
    *steps({ document: of }) {
      return (yield { api, path: `/documents/${idIn(of)}` }).body;
    },
    example: { documentId: written.documentId, title: 'Minutes', body: { content: [] } },
  }),
];
