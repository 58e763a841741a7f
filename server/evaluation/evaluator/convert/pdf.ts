import { extractText, getDocumentProxy } from 'unpdf';
import type { ConvertOptions } from '../../convert-job';
import { messageOf, unreadable } from './failure';
import { bytesOf, type Source } from './source';

/** The text of each page. Scripts, forms and pictures of the document are not read. */
export async function pdfPages(source: Source, { password }: ConvertOptions): Promise<string[]> {
  try {
    const document = await getDocumentProxy(new Uint8Array(bytesOf(source)), {
      isEvalSupported: false,
      verbosity: 0,
      ...(password ? { password } : {}),
    });
    return (await extractText(document, { mergePages: false })).text;
  } catch (error) {
    throw unreadable(`The file cannot be read as PDF: ${messageOf(error)}`);
  }
}
