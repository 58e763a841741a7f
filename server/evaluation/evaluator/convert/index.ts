import { gzipSync } from 'node:zlib';
import type { ValueFacts } from '@/server/expressions/large-json';
import { isTrue } from '@/server/expressions/truth';
import { isBinary } from '@/contract/workflows/conversions';
import { MAX_CONVERTED_BYTES, type Conversion, type ConvertOptions } from '../../convert-job';
import { encodeText } from './encodings';
import { unreadable } from './failure';
import { NamedRow, rowJson } from './named-row';
import { jsonOf, readRows } from './rows';
import { tooLarge, TextSink } from './sink';
import { bytesOf, bytesOfText, sourceOf, textOf, type Source } from './source';
import type { Table } from './tables';

/** The result of a conversion: the JSON of a value, the bytes of a file, or the files of an archive. */
export type Converted =
  | { kind: 'value'; json: Buffer | string; facts: ValueFacts }
  | { kind: 'file'; content: Buffer }
  | { kind: 'files'; files: { name: string; content: Buffer }[] };

const MAX_DEPTH = 1000;

/** Converts content. `contents`: the value as JSON or the bytes of a file; for files, their names and values as JSON, then the bytes of each. */
export async function convert(conversion: Conversion, contents: Buffer[]): Promise<Converted> {
  try {
    return await converted(conversion, contents);
  } catch (error) {
    if (error instanceof RangeError && /call stack/i.test(error.message))
      throw unreadable('The content is nested too deeply.');
    throw error;
  }
}

async function converted(conversion: Conversion, contents: Buffer[]): Promise<Converted> {
  const { from, to } = conversion;
  if (conversion.source === 'files') return archiveOf(contents);
  const source = sourceOf(conversion, contents[0] ?? Buffer.alloc(0));
  if (from === 'zip') return unpacked(source);
  switch (to) {
    case 'zip': {
      const { writeArchive } = await import('./zip');
      return fileOf(writeArchive([{ name: conversion.options.name ?? 'content', content: bytesOf(source) }]));
    }
    case 'gzip':
      return fileOf(gzipSync(bytesOf(source)));
    case 'file':
      return fileOf(bytesOf(source));
    case 'base64':
      return textResult(bytesOf(source).toString('base64'), conversion);
    case 'json':
      return jsonResult(source, conversion);
    case 'text':
      return textResult(await plainText(source, conversion.options), conversion);
    case 'xml': {
      const { writeXml } = await import('./xml-writer');
      return textResult(writeXml(jsonOf(source), conversion.options), conversion);
    }
    default:
      return fromContent(source, conversion);
  }
}

/** Conversions to tables, and between texts. */
async function fromContent(source: Source, conversion: Conversion): Promise<Converted> {
  const { from, to, options } = conversion;
  if (from === 'markdown') {
    const { markdownHtml } = await import('./markdown');
    return textResult(markdownHtml(textOf(source), options), conversion);
  }
  if (from === 'html') {
    const { htmlMarkdown } = await import('./html');
    return textResult(htmlMarkdown(textOf(source)), conversion);
  }
  const sink = new TextSink(isFile(conversion));
  if (to === 'ndjson') {
    await readRows(source, options, (row) => sink.write(`${rowJson(row)}\n`));
    return textResult(sink.end(), conversion);
  }
  const rows: unknown[] = [];
  await readRows(source, options, (row) => rows.push(row));
  const tables = await import('./tables');
  const table = tables.tableOf(rows, options);
  if (to === 'xlsx') {
    const { writeSheet } = await import('./xlsx');
    return fileOf(writeSheet(table, options));
  }
  await writeTable(table, conversion, sink);
  return textResult(sink.end(), conversion);
}

async function writeTable(table: Table, { to, options }: Conversion, sink: TextSink): Promise<void> {
  const { writeHtmlTable, writeMarkdownTable } = await import('./tables');
  if (to === 'html') return writeHtmlTable(table, sink);
  if (to === 'markdown') return writeMarkdownTable(table, sink);
  const { writeCsv } = await import('./csv-writer');
  writeCsv(table, options, sink);
}

async function plainText(source: Source, options: ConvertOptions): Promise<string> {
  switch (source.format) {
    case 'json':
      return JSON.stringify(jsonOf(source), null, options.indent);
    case 'html': {
      const { htmlText } = await import('./html');
      return htmlText(textOf(source));
    }
    case 'markdown': {
      const [{ markdownHtml }, { htmlText }] = await Promise.all([import('./markdown'), import('./html')]);
      return htmlText(markdownHtml(textOf(source), { rawHtml: 'keep' }));
    }
    case 'pdf': {
      const { pdfPages } = await import('./pdf');
      return (await pdfPages(source, options)).join('\n\n');
    }
    default:
      return textOf(source);
  }
}

const TABLES = ['csv', 'xlsx', 'ndjson'];

async function jsonResult(source: Source, conversion: Conversion): Promise<Converted> {
  const { options } = conversion;
  const sink = new TextSink(isFile(conversion));
  if (TABLES.includes(source.format)) {
    const facts: ValueFacts & { length: number } = { isTrue: false, length: 0 };
    sink.write('[');
    await readRows(source, options, (row) => {
      checkDepth(row, MAX_DEPTH - 1);
      sink.write(`${facts.length > 0 ? ',' : ''}${rowJson(row)}`);
      facts.length += 1;
      facts.isTrue ||= isTrue(row);
    });
    sink.write(']');
    return jsonOrFile(sink.end(), facts, conversion);
  }
  const value = await valueOf(source, options);
  checkDepth(value, MAX_DEPTH);
  sink.write(JSON.stringify(value));
  const facts = { isTrue: isTrue(value), ...(Array.isArray(value) ? { length: value.length } : {}) };
  return jsonOrFile(sink.end(), facts, conversion);
}

async function valueOf(source: Source, options: ConvertOptions): Promise<unknown> {
  switch (source.format) {
    case 'xml':
      return (await import('./xml')).readXml(source, options);
    case 'html':
      return (await import('./html')).selectFrom(textOf(source), options.select);
    case 'pdf':
      return (await import('./pdf')).pdfPages(source, options);
    default:
      return jsonOf(source);
  }
}

/** Later readers of values recurse; outputs have the same limit. */
function checkDepth(value: unknown, left: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof NamedRow) return value.cells.forEach((cell) => checkDepth(cell, left - 1));
  if (left === 0) throw unreadable(`The content is nested more than ${MAX_DEPTH} levels deep.`);
  for (const inner of Object.values(value)) checkDepth(inner, left - 1);
}

const isFile = ({ to, options }: Conversion) => isBinary(to) || options.asFile === true;

function fileOf(content: Buffer): Converted {
  if (content.length > MAX_CONVERTED_BYTES) throw tooLarge(true);
  return { kind: 'file', content };
}

const jsonOrFile = (json: Buffer, facts: ValueFacts, conversion: Conversion): Converted =>
  isFile(conversion) ? fileOf(json) : { kind: 'value', json, facts };

/** A text, as a value or, in the encoding of the options, as a file. */
function textResult(text: string | Buffer, conversion: Conversion): Converted {
  const { outputEncoding, bom } = conversion.options;
  if (isFile(conversion)) {
    const isUtf8 = Buffer.isBuffer(text) && outputEncoding === undefined && !bom;
    return fileOf(isUtf8 ? text : encodeText(text, outputEncoding, bom));
  }
  const sink = new TextSink(false);
  sink.write(JSON.stringify(text.toString()));
  return { kind: 'value', json: sink.end(), facts: { isTrue: text.length > 0 } };
}

async function unpacked(source: Source): Promise<Converted> {
  const { plainNames, readEntries } = await import('./zip');
  return { kind: 'files', files: plainNames(await readEntries(bytesOf(source), 'The archive')) };
}

/** `contents`: the list of `{name, text?}` as JSON, then the bytes of those without a text, in their order. */
async function archiveOf([list, ...files]: Buffer[]): Promise<Converted> {
  const entries = JSON.parse(list?.toString() ?? '[]') as { name: string; text?: string }[];
  let next = 0;
  const contents = entries.map(({ name, text }) => ({
    name,
    content: text === undefined ? (files[next++] ?? Buffer.alloc(0)) : bytesOfText(text),
  }));
  const { writeArchive } = await import('./zip');
  return fileOf(writeArchive(contents));
}
