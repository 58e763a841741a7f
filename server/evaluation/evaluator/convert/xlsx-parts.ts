import { Parser } from 'saxen';
import { readText } from '@/server/text-encoding';
import { kindOfContent } from '@/contract/content-kind';
import { messageOf, unreadable } from './failure';
import { bytesOf, type Source } from './source';
import { readEntries } from './zip';

/** What happens at the elements of a part. Names have no prefix. */
export interface PartEvents {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

function decoded(attributes: Record<string, string>, decode: (text: string) => string): Record<string, string> {
  for (const [name, value] of Object.entries(attributes)) if (value.includes('&')) attributes[name] = decode(value);
  return attributes;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** A part of a spreadsheet file that is never read. */
const UNREAD = /(^|\/)(theme|drawings|charts|media|pivot\w*|externalLinks|customXml|docProps|printerSettings)\//i;

/** The XML parts of a spreadsheet, by their names. */
export class SpreadsheetParts {
  private constructor(
    private readonly contents: ReadonlyMap<string, Buffer>,
    private readonly names: readonly string[],
  ) {}

  /** Throws NodeFailure for what is no spreadsheet. */
  static async open(source: Source): Promise<SpreadsheetParts> {
    const bytes = bytesOf(source);
    refuseOthers(bytes);
    const names: string[] = [];
    const entries = await readEntries(bytes, 'The spreadsheet', (name) => {
      names.push(name);
      return (/\.(xml|rels)$/i.test(name) && !UNREAD.test(name)) || name === 'mimetype';
    });
    return new SpreadsheetParts(new Map(entries.map(({ name, content }) => [plainName(name), content])), names);
  }

  has(name: string): boolean {
    return this.contents.has(plainName(name));
  }

  /** Reads a part. Throws NodeFailure if it is missing or no XML. */
  read(name: string, events: PartEvents): void {
    const content = this.contents.get(plainName(name));
    if (!content) throw unreadable(`The spreadsheet is damaged: the part ${name} is missing.`);
    const parser = new Parser();
    parser.on('openTag', (tag, attributes, decode) => events.open(localName(tag), decoded(attributes(), decode)));
    if (events.close) parser.on('closeTag', (tag) => events.close?.(localName(tag)));
    if (events.text) {
      parser.on('text', (text, decode) => events.text?.(decode(text)));
      parser.on('cdata', (text) => events.text?.(text));
    }
    parser.on('error', (error) => {
      throw unreadable(`The spreadsheet is damaged: the part ${name} is not XML: ${messageOf(error)}`);
    });
    parser.parse(readText(content));
  }

  /** What the part refers to, by ids: types and names of parts. */
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
    throw unreadable(`The file is ${this.kind()}. Only xlsx is read: save it in that format.`);
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
const plainName = (name: string) => name.replace(/^\//, '').replaceAll('\\', '/').toLowerCase();

/** Encrypted spreadsheets are inside of a container of old Office files. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

function refuseOthers(bytes: Buffer): void {
  const kind = kindOfContent(bytes);
  if (kind?.startsWith('an old file of Office')) {
    throw unreadable(
      bytes.includes(ENCRYPTED)
        ? 'The spreadsheet has a password. Save it without one.'
        : 'The file is an old spreadsheet (xls). Only xlsx is read: save it in that format.',
    );
  }
  if (kind?.includes('ZIP')) return;
  if (kind) throw unreadable(`The file is ${kind}, not a spreadsheet (xlsx).`);
  const start = bytes.toString('latin1', 0, 1024);
  if (/<(html|table|!doctype html)\b/i.test(start))
    throw unreadable('The file is HTML with the name of a spreadsheet, not xlsx. Read it as html.');
  if (/^[^<]*<\?xml|<Workbook\b/.test(start)) throw unreadable('The file is XML, not a spreadsheet (xlsx).');
  // oxlint-disable-next-line no-control-regex
  if (start !== '' && !/[\u0000-\u0008\u000e-\u001f]/.test(start))
    throw unreadable('The file is text, not a spreadsheet (xlsx). CSV is read with the format csv.');
  throw unreadable(bytes.length === 0 ? 'The file is empty.' : 'The spreadsheet is not a ZIP archive, as xlsx is.');
}
