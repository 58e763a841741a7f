import { gzipSync } from 'node:zlib';
import type { KnownValueTraits } from '@/server/evaluation/expressions/large-json';
import { isJsonataTrue } from '@/server/evaluation/expressions/truth';
import { isBinaryFormat } from '@/contract/workflows/conversions';
import { MAX_CONVERTED_BYTES, type ConversionJob, type ConvertOptions } from '../../convert-job';
import { encodeTextExactly } from './encodings';
import { unreadableContent } from './failure';
import { NamedRow, serializeRow } from './named-row';
import { readSourceJson, readTableRows } from './rows';
import { tooLargeResult, TextSink } from './text-sink';
import { sourceBytes, encodeUtf8, createSource, sourceText, type ConversionSource } from './source';
import type { CellTable } from './tables';

/** The result of a conversion: the JSON of a value, the bytes of a file, or the files of an archive. */
export type ContentConversionResult =
  | { kind: 'value'; json: Buffer | string; facts: KnownValueTraits }
  | { kind: 'file'; content: Buffer }
  | { kind: 'files'; files: { name: string; content: Buffer }[] };

const MAX_CONVERTED_DEPTH = 1000;

/**
 * Converts content. `contents`: the value as JSON or the bytes of a file; for files, their names and values as JSON,
 * then the bytes of each.
 */
export async function convertContent(conversion: ConversionJob, contents: Buffer[]): Promise<ContentConversionResult> {
  try {
    return await convertByFormat(conversion, contents);
  } catch (error) {
    if (error instanceof RangeError && /call stack/i.test(error.message))
      throw unreadableContent('The content is nested too deeply.');
    throw error;
  }
}

async function convertByFormat(conversion: ConversionJob, contents: Buffer[]): Promise<ContentConversionResult> {
  const { from, to } = conversion;
  if (conversion.source === 'files') return packArchive(contents);
  const source = createSource(conversion, contents[0] ?? Buffer.alloc(0));
  if (from === 'zip') return unpackArchive(source);
  switch (to) {
    case 'zip': {
      const { writeZipArchive: writeArchive } = await import('./zip');
      return fileResult(writeArchive([{ name: conversion.options.name ?? 'content', content: sourceBytes(source) }]));
    }
    case 'gzip':
      return fileResult(gzipSync(sourceBytes(source)));
    case 'file':
      return fileResult(sourceBytes(source));
    case 'base64':
      return textOrFileResult(sourceBytes(source).toString('base64'), conversion);
    case 'json':
      return convertToJson(source, conversion);
    case 'text':
      return textOrFileResult(await convertToText(source, conversion.options), conversion);
    case 'xml': {
      const { writeXmlDocument: writeXml } = await import('./xml-writer');
      return textOrFileResult(writeXml(readSourceJson(source), conversion.options), conversion);
    }
    default:
      return convertToTable(source, conversion);
  }
}

/** Conversions to tables, and between texts. */
async function convertToTable(source: ConversionSource, conversion: ConversionJob): Promise<ContentConversionResult> {
  const { from, to, options } = conversion;
  if (from === 'markdown') {
    const { markdownToHtml: markdownHtml } = await import('./markdown');
    return textOrFileResult(markdownHtml(sourceText(source), options), conversion);
  }
  if (from === 'html') {
    const { htmlToMarkdown: htmlMarkdown } = await import('./html');
    return textOrFileResult(htmlMarkdown(sourceText(source)), conversion);
  }
  const sink = new TextSink(becomesFile(conversion));
  if (to === 'ndjson') {
    await readTableRows(source, options, (row) => sink.write(`${serializeRow(row)}\n`));
    return textOrFileResult(sink.end(), conversion);
  }
  const rows: unknown[] = [];
  await readTableRows(source, options, (row) => rows.push(row));
  const tables = await import('./tables');
  const table = tables.toTable(rows, options);
  if (to === 'xlsx') {
    const { writeXlsxSheet: writeSheet } = await import('./xlsx-writer');
    return fileResult(writeSheet(table, options));
  }
  await writeTextTable(table, conversion, sink);
  return textOrFileResult(sink.end(), conversion);
}

async function writeTextTable(table: CellTable, { to, options }: ConversionJob, sink: TextSink): Promise<void> {
  const { writeHtmlTable, writeMarkdownTable } = await import('./tables');
  if (to === 'html') return writeHtmlTable(table, sink);
  if (to === 'markdown') return writeMarkdownTable(table, sink);
  const { writeCsvTable: writeCsv } = await import('./csv-writer');
  writeCsv(table, options, sink);
}

async function convertToText(source: ConversionSource, options: ConvertOptions): Promise<string> {
  switch (source.format) {
    case 'json':
      return JSON.stringify(readSourceJson(source), null, options.indent);
    case 'html': {
      const { htmlToVisibleText: htmlText } = await import('./html');
      return htmlText(sourceText(source));
    }
    case 'markdown': {
      const [{ markdownToHtml: markdownHtml }, { htmlToVisibleText: htmlText }] = await Promise.all([
        import('./markdown'),
        import('./html'),
      ]);
      return htmlText(markdownHtml(sourceText(source), { rawHtml: 'keep' }));
    }
    case 'pdf': {
      const { readPdfPages: pdfPages } = await import('./pdf');
      return (await pdfPages(source, options)).join('\n\n');
    }
    default:
      return sourceText(source);
  }
}

const TABLE_FORMATS = ['csv', 'xlsx', 'ndjson'];

async function convertToJson(source: ConversionSource, conversion: ConversionJob): Promise<ContentConversionResult> {
  const { options } = conversion;
  const sink = new TextSink(becomesFile(conversion));
  if (TABLE_FORMATS.includes(source.format)) {
    const facts: KnownValueTraits & { length: number } = { isTrue: false, length: 0 };
    sink.write('[');
    await readTableRows(source, options, (row) => {
      requireMaxDepth(row, MAX_CONVERTED_DEPTH - 1);
      sink.write(`${facts.length > 0 ? ',' : ''}${serializeRow(row)}`);
      facts.length += 1;
      facts.isTrue ||= isJsonataTrue(row);
    });
    sink.write(']');
    return jsonValueOrFile(sink.end(), facts, conversion);
  }
  const value = await readSourceValue(source, options);
  requireMaxDepth(value, MAX_CONVERTED_DEPTH);
  sink.write(JSON.stringify(value));
  const facts = { isTrue: isJsonataTrue(value), ...(Array.isArray(value) ? { length: value.length } : {}) };
  return jsonValueOrFile(sink.end(), facts, conversion);
}

async function readSourceValue(source: ConversionSource, options: ConvertOptions): Promise<unknown> {
  switch (source.format) {
    case 'xml':
      return (await import('./xml-reader')).readXmlDocument(source, options);
    case 'html':
      return (await import('./html')).selectHtmlFields(sourceText(source), options.select);
    case 'pdf':
      return (await import('./pdf')).readPdfPages(source, options);
    default:
      return readSourceJson(source);
  }
}

/** Later readers of the value recurse; outputs of nodes have the same limit. */
function requireMaxDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof NamedRow) return value.cells.forEach((cell) => requireMaxDepth(cell, left - 1));
  if (left === 0) throw unreadableContent(`The content is nested more than ${MAX_CONVERTED_DEPTH} levels deep.`);
  for (const inner of Object.values(value)) requireMaxDepth(inner, left - 1);
}

const becomesFile = ({ to, options }: ConversionJob) => isBinaryFormat(to) || options.asFile === true;

function fileResult(content: Buffer): ContentConversionResult {
  if (content.length > MAX_CONVERTED_BYTES) throw tooLargeResult(true);
  return { kind: 'file', content };
}

const jsonValueOrFile = (json: Buffer, facts: KnownValueTraits, conversion: ConversionJob): ContentConversionResult =>
  becomesFile(conversion) ? fileResult(json) : { kind: 'value', json, facts };

/** A text, as a value or, in the encoding of the options, as a file. */
function textOrFileResult(text: string | Buffer, conversion: ConversionJob): ContentConversionResult {
  const { outputEncoding, bom } = conversion.options;
  if (becomesFile(conversion)) {
    const isUtf8 = Buffer.isBuffer(text) && outputEncoding === undefined && !bom;
    return fileResult(isUtf8 ? text : encodeTextExactly(text, outputEncoding, bom));
  }
  const sink = new TextSink(false);
  sink.write(JSON.stringify(text.toString()));
  return { kind: 'value', json: sink.end(), facts: { isTrue: text.length > 0 } };
}

async function unpackArchive(source: ConversionSource): Promise<ContentConversionResult> {
  const { flattenFileNames: plainNames, readZipEntries: readEntries } = await import('./zip');
  return { kind: 'files', files: plainNames(await readEntries(sourceBytes(source), 'The archive')) };
}

/** `contents`: the list of `{name, text?}` as JSON, then the bytes of those without a text, in their order. */
async function packArchive([list, ...files]: Buffer[]): Promise<ContentConversionResult> {
  const entries = JSON.parse(list?.toString() ?? '[]') as { name: string; text?: string }[];
  let next = 0;
  const contents = entries.map(({ name, text }) => ({
    name,
    content: text === undefined ? (files[next++] ?? Buffer.alloc(0)) : encodeUtf8(text),
  }));
  const { writeZipArchive: writeArchive } = await import('./zip');
  return fileResult(writeArchive(contents));
}
