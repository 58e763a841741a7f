import type { ConversionStatus } from '../conversion';

/** The entry of the report for one node of n8n. */
export interface ImportReportEntry {
  node: string;
  /** The type, without the package. */
  type: string;
  outcome: ConversionStatus;
  /** Sentences with what people have to know or to do; empty: there is nothing. */
  message: string;
}
