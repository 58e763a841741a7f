import type { TextEncoding, ConversionFormat } from '@/contract/workflows/conversions';
import { BYTES_PER_MIB } from '@/contract/units';

/** A conversion may use this many times the processor time of an expression. */
export const CONVERSION_CPU_FACTOR = 80;

/** Limit of the source, of what it expands to, and of the result, in bytes. */
export const MAX_CONVERTED_BYTES = 50 * BYTES_PER_MIB;
/** Content expands to at most so many times its size; what stays below `FREE_EXPANSION_BYTES` may expand further. */
export const MAX_EXPANSION_RATIO = 100;
export const FREE_EXPANSION_BYTES = BYTES_PER_MIB;
/** A result that is a value has the same limit as every output of a node. */
export const MAX_CONVERTED_VALUE_BYTES = 10 * BYTES_PER_MIB;
/** A value that describes an archive names at most this many files. */
export const MAX_ARCHIVE_FILES = 1000;
/** The converting process needs this memory besides its heap, for the source, the result and what lies between them. */
export const MEMORY_OUTSIDE_HEAP_BYTES = 384 * BYTES_PER_MIB;

/** The options of a conversion; contract/workflows/conversions.ts says which a pair of formats takes. */
export interface ConvertOptions {
  delimiter?: string;
  quote?: string;
  header?: boolean;
  /** The number of the header's row, from 1. Default: that of the first row that is not empty. */
  headerRow?: number;
  types?: boolean;
  /** Default: what a byte order mark, the type of the file or the document itself says, else UTF-8. */
  encoding?: TextEncoding;
  outputEncoding?: TextEncoding;
  columns?: string[];
  escapeFormulas?: boolean;
  bom?: boolean;
  sheet?: string | number;
  lists?: string[];
  root?: string;
  indent?: number;
  select?: Record<string, string | HtmlSelection>;
  rawHtml?: 'escape' | 'drop' | 'keep';
  password?: string;
  asFile?: boolean;
  name?: string;
  contentType?: string;
}

/**
 * Says what a field takes from an HTML document: of the first match or, as a list, of all matches its text without white
 * space around it (the default), all of its text, the HTML in it, what a form would send, or an attribute.
 */
export interface HtmlSelection {
  css: string;
  read?: 'text' | 'fullText' | 'html' | 'value';
  attribute?: string;
  all?: boolean;
}

/**
 * A conversion. `source`: whether the content came as the JSON of a value, as the bytes of a file, or as files for an
 * archive.
 */
export interface ConversionJob {
  from: ConversionFormat;
  to: ConversionFormat;
  options: ConvertOptions;
  source: 'value' | 'file' | 'files';
  /** The charset that the content type of the file names. */
  charset?: string | undefined;
}
