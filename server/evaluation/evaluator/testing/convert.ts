import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { strToU8, Zip, zipSync, type ZipInputFile } from 'fflate';
import { isBinaryFormat, type ConversionFormat } from '@/contract/workflows/conversions';
import { PURPOSE } from '@/server/testing/evaluation';
import type { ConvertOptions } from '../convert-job';
import { runConversion, EvaluationFailedError } from '../evaluation';
import { convertContent } from '../program/convert';

/** A file of the folder `runConversion`. */
export const fixture = (name: string): Buffer => readFileSync(path.join(import.meta.dirname, 'convert', name));

/** A conversion; buffers count as files, and so do binary results. */
export interface Case {
  from: ConversionFormat;
  to: ConversionFormat;
  value: unknown;
  options?: ConvertOptions;
  workspaceId?: string;
}

/** The files of a result, or its value. Large values are parsed. */
export async function convertAll({ from, to, value, options = {}, workspaceId = PURPOSE.workspaceId }: Case) {
  const isFile = isBinaryFormat(to) || options.asFile === true;
  const isBytes = Buffer.isBuffer(value);
  const contents = [isBytes ? value : JSON.stringify(value)];
  const conversion = { from, to, options, source: isBytes ? 'file' : 'value' } as const;
  return runConversion(conversion, contents, { isFile, workspaceId });
}

/** The result of a conversion: a value, or the bytes of a file. */
export async function converted(
  from: ConversionFormat,
  to: ConversionFormat,
  value: unknown,
  options?: ConvertOptions,
) {
  const result = await convertAll({ from, to, value, options });
  return 'value' in result ? plain(result.value) : (result.files[0]?.content ?? Buffer.alloc(0));
}

/** The same in this process, for tests that convert often. */
export async function convertedHere(
  from: ConversionFormat,
  to: ConversionFormat,
  value: unknown,
  options: ConvertOptions = {},
) {
  const isBytes = Buffer.isBuffer(value);
  const content = isBytes ? value : Buffer.from(JSON.stringify(value));
  const result = await convertContent({ from, to, options, source: isBytes ? 'file' : 'value' }, [content]);
  if (result.kind === 'value') return JSON.parse(String(result.json)) as unknown;
  return result.kind === 'file' ? result.content : result.files;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** An archive of large files: compressed by Node.js, which takes a fifth of the time. */
export function deflatedZip(files: Record<string, Buffer>): Buffer {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  for (const [filename, content] of Object.entries(files)) {
    const file: ZipInputFile = { filename, size: content.length, crc: crc32(content), compression: 8 };
    zip.add(file);
    file.ondata?.(null, deflateRawSync(content), true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The formats of a spreadsheet's cells by their styles: numbers of built-in ones, or codes. */
type CellFormats = readonly (number | string)[];

/** A spreadsheet of one sheet, written out: `sheet` are its rows in XML, `texts` the shared ones. */
export function spreadsheet(
  sheet: string,
  { formats = [], texts = [], is1904 = false }: { formats?: CellFormats; texts?: string[]; is1904?: boolean } = {},
): Buffer {
  const codes = formats.map((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${format}"/>` : '',
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + index}"/>`,
  );
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const parts = {
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}">${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><workbookPr date1904="${is1904 ? 1 : 0}"/><sheets><sheet name="One" sheetId="1" r:id="s"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('s', 'worksheet', 'worksheets/sheet1.xml')}${relation('t', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('f', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))));
}

/** The code and message of a conversion that fails. */
export const failureOf = (running: Promise<unknown>): Promise<string> =>
  running.then(
    () => 'no failure',
    (error: unknown) =>
      error instanceof EvaluationFailedError ? `${error.failure.code}: ${error.failure.message}` : String(error),
  );
