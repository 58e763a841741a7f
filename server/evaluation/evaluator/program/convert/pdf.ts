import { extractText, getDocumentProxy } from 'unpdf';
import type { ConvertOptions } from '../../convert-job';
import { errorMessage, unreadableContent } from './failure';
import { sourceBytes, type ConversionSource } from './source';

/** The text of each page. Scripts, forms and pictures of the document are not read. */
export async function readPdfPages(source: ConversionSource, { password }: ConvertOptions): Promise<string[]> {
  try {
    const document = await getDocumentProxy(new Uint8Array(sourceBytes(source)), {
      isEvalSupported: false,
      verbosity: 0,
      ...(password ? { password } : {}),
    });
    return (await extractText(document, { mergePages: false })).text;
  } catch (error) {
    throw unreadableContent(`The file cannot be read as PDF: ${errorMessage(error)}`);
  }
}
