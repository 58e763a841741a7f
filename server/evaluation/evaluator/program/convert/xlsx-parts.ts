import { Parser } from 'saxen';
import { decodeWholeText } from '@/server/platform/messages/text-encoding';
import { detectBinaryContent } from '@/contract/binary-content';
import { errorMessage, unreadableContent } from './failure';
import { sourceBytes, type ConversionSource } from './source';
import { readZipEntries } from './zip';

/** The handlers of the elements of a part. The names that they get have no prefix. */
export interface XmlPartEvents {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

function decodeAttributes(
  attributes: Record<string, string>,
  decode: (text: string) => string,
): Record<string, string> {
  for (const [name, value] of Object.entries(attributes)) if (value.includes('&')) attributes[name] = decode(value);
  return attributes;
}

const withoutXmlPrefix = (name: string) => name.slice(name.indexOf(':') + 1);

/** Names of parts of a spreadsheet file that are never read. */
const UNREAD_PARTS = /(^|\/)(theme|drawings|charts|media|pivot\w*|externalLinks|customXml|docProps|printerSettings)\//i;

/** The XML parts of a spreadsheet, by their names. */
export class SpreadsheetParts {
  private constructor(
    private readonly contents: ReadonlyMap<string, Buffer>,
    private readonly names: readonly string[],
  ) {}

  /** Throws NodeFailure for what is no spreadsheet. */
  static async open(source: ConversionSource): Promise<SpreadsheetParts> {
    const bytes = sourceBytes(source);
    requireSpreadsheet(bytes);
    const names: string[] = [];
    const entries = await readZipEntries(bytes, 'The spreadsheet', (name) => {
      names.push(name);
      return (/\.(xml|rels)$/i.test(name) && !UNREAD_PARTS.test(name)) || name === 'mimetype';
    });
    return new SpreadsheetParts(new Map(entries.map(({ name, content }) => [normalizePartName(name), content])), names);
  }

  has(name: string): boolean {
    return this.contents.has(normalizePartName(name));
  }

  /** Reads a part. Throws NodeFailure if it is missing or no XML. */
  read(name: string, events: XmlPartEvents): void {
    const content = this.contents.get(normalizePartName(name));
    if (!content) throw unreadableContent(`The spreadsheet is damaged: the part ${name} is missing.`);
    const parser = new Parser();
    parser.on('openTag', (tag, attributes, decode) =>
      events.open(withoutXmlPrefix(tag), decodeAttributes(attributes(), decode)),
    );
    if (events.close) parser.on('closeTag', (tag) => events.close?.(withoutXmlPrefix(tag)));
    if (events.text) {
      parser.on('text', (text, decode) => events.text?.(decode(text)));
      parser.on('cdata', (text) => events.text?.(text));
    }
    parser.on('error', (error) => {
      throw unreadableContent(`The spreadsheet is damaged: the part ${name} is not XML: ${errorMessage(error)}`);
    });
    parser.parse(decodeWholeText(content));
  }

  /** Returns the types and names of the parts that a part refers to, by their ids. */
  relationsOf(name: string): Map<string, { type: string; target: string }> {
    const [folder, file] = [name.slice(0, name.lastIndexOf('/') + 1), name.slice(name.lastIndexOf('/') + 1)];
    const relations = new Map<string, { type: string; target: string }>();
    const part = `${folder}_rels/${file}.rels`;
    if (!this.has(part)) return relations;
    this.read(part, {
      open(tag, { Id = '', Type = '', Target = '', TargetMode }) {
        if (tag !== 'Relationship' || TargetMode === 'External') return;
        const target = new URL(Target, `file:///${folder}`).pathname.slice(1);
        relations.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: decodeURIComponent(target) });
      },
    });
    return relations;
  }

  /** The name of the part that describes the workbook. Throws NodeFailure if there is none. */
  workbook(): string {
    const main = [...this.relationsOf('').values()].find(({ type }) => type === 'officeDocument')?.target;
    const name = main ?? 'xl/workbook.xml';
    if (this.has(name) && !/^(word|ppt)\//.test(name)) return name;
    throw unreadableContent(`The file is ${this.kind()}. Only xlsx is read: save it in that format.`);
  }

  private kind(): string {
    const type = this.contents.get('mimetype')?.toString('latin1') ?? '';
    if (this.names.some((name) => /workbook\.bin$/i.test(name))) return 'a binary spreadsheet (xlsb)';
    if (type.includes('opendocument.spreadsheet')) return 'a spreadsheet of OpenDocument (ods)';
    if (type.includes('opendocument')) return 'a document of OpenDocument';
    if (this.names.some((name) => name.startsWith('word/'))) return 'a Word document (docx)';
    if (this.names.some((name) => name.startsWith('ppt/'))) return 'a presentation (pptx)';
    if (this.names.some((name) => /^Index\/.*\.iwa$|^Index\.zip$/i.test(name))) return 'a spreadsheet of Numbers';
    return 'a ZIP archive without a spreadsheet';
  }
}

/** Parts are found without regard to case, with or without a slash at the beginning. */
const normalizePartName = (name: string) => name.replace(/^\//, '').replaceAll('\\', '/').toLowerCase();

/** An encrypted spreadsheet lies inside a container of the old Office format. */
const ENCRYPTED_MARK = Buffer.from('EncryptedPackage', 'utf16le');

function requireSpreadsheet(bytes: Buffer): void {
  const kind = detectBinaryContent(bytes);
  if (kind?.startsWith('an old file of Office')) {
    throw unreadableContent(
      bytes.includes(ENCRYPTED_MARK)
        ? 'The spreadsheet has a password. Save it without one.'
        : 'The file is an old spreadsheet (xls). Only xlsx is read: save it in that format.',
    );
  }
  if (kind?.includes('ZIP')) return;
  if (kind) throw unreadableContent(`The file is ${kind}, not a spreadsheet (xlsx).`);
  const start = bytes.toString('latin1', 0, 1024);
  if (/<(html|table|!doctype html)\b/i.test(start))
    throw unreadableContent('The file is HTML with the name of a spreadsheet, not xlsx. Read it as html.');
  if (/^[^<]*<\?xml|<Workbook\b/.test(start)) throw unreadableContent('The file is XML, not a spreadsheet (xlsx).');
  // oxlint-disable-next-line no-control-regex
  if (start !== '' && !/[\u0000-\u0008\u000e-\u001f]/.test(start))
    throw unreadableContent('The file is text, not a spreadsheet (xlsx). CSV is read with the format csv.');
  throw unreadableContent(
    bytes.length === 0 ? 'The file is empty.' : 'The spreadsheet is not a ZIP archive, as xlsx is.',
  );
}
