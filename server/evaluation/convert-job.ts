import type { Encoding, Format } from '@/contract/workflows/conversions';

const MIB = 1024 * 1024;

/** The processor time of a conversion, in times of an expression. */
export const CONVERT_FACTOR = 80;

/** Limit of the source, of what it expands to, and of the result, in bytes. */
export const MAX_CONVERTED_BYTES = 50 * MIB;
/** Content expands to at most so many times its size; what stays below `FREE_EXPANSION_BYTES` may expand further. */
export const MAX_EXPANSION = 100;
export const FREE_EXPANSION_BYTES = MIB;
/** Limit of a result that is a value: that of every output. */
export const MAX_VALUE_BYTES = 10 * MIB;
/** Files of an archive: a value names at most so many. */
export const MAX_ENTRIES = 1000;
/** Memory of the process that converts, in addition to its heap: bytes before, after and between. */
export const OUTSIDE_HEAP_BYTES = 384 * MIB;

/** The options of a conversion; contract/workflows/conversions.ts says which a pair of formats takes. */
export interface ConvertOptions {
  delimiter?: string;
  quote?: string;
  header?: boolean;
  /** The number of the header's row, from 1. Default: that of the first row that is not empty. */
  headerRow?: number;
  types?: boolean;
  /** Default: what a byte order mark, the type of the file or the document itself says, else UTF-8. */
  encoding?: Encoding;
  outputEncoding?: Encoding;
  columns?: string[];
  escapeFormulas?: boolean;
  bom?: boolean;
  sheet?: string | number;
  lists?: string[];
  root?: string;
  indent?: number;
  select?: Record<string, string | Selection>;
  rawHtml?: 'escape' | 'drop' | 'keep';
  password?: string;
  asFile?: boolean;
  name?: string;
  contentType?: string;
}

/** What of an HTML document becomes a field: the text of the first match, an attribute, or a list of all. */
export interface Selection {
  css: string;
  attribute?: string;
  all?: boolean;
}

/** A conversion. `source`: whether the content came as the JSON of a value, as the bytes of a file, or as files for an archive. */
export interface Conversion {
  from: Format;
  to: Format;
  options: ConvertOptions;
  source: 'value' | 'file' | 'files';
  /** The charset that the content type of the file names. */
  charset?: string | undefined;
}
