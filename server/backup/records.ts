import { z } from 'zod';

/** The beginning of a backup. */
export const MAGIC = 'weft backup 1\n';

/** The first record: what the backup is and what it needs. Keys are named, never included. */
const Header = z.object({
  kind: z.literal('header'),
  format: z.literal(1),
  version: z.string(),
  createdAt: z.string(),
  /** In the order in which they were applied. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  keys: z.array(z.string()),
  /** Where the files are: null if in the backup, otherwise the address of their storage. */
  filesAt: z.string().nullable(),
});
export type Header = z.infer<typeof Header>;

/** Followed by data: the rows in the text format of COPY. */
const Table = z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()).min(1) });
export type Table = z.infer<typeof Table>;
const TableEnd = z.object({ kind: z.literal('tableEnd'), rows: z.int().min(0) });

/** Followed by data: the bytes. `size` in bytes. */
const StoredFile = z.object({
  kind: z.literal('file'),
  id: z.string().regex(/^file_[\w-]{1,64}$/),
  size: z.int().min(0),
  sha256: z.string(),
});
export type StoredFile = z.infer<typeof StoredFile>;
/** `isWhole`: false if the storage had other bytes than were stored in it, so that a restore leaves them out. */
const FileEnd = z.object({ kind: z.literal('fileEnd'), isWhole: z.boolean() });

/** `table` and `column` own the sequence; null if it stands alone. */
const Sequence = z.object({
  name: z.string(),
  table: z.string().nullable(),
  column: z.string().nullable(),
  value: z.string().regex(/^-?\d{1,19}$/),
});
export type Sequence = z.infer<typeof Sequence>;
const Sequences = z.object({ kind: z.literal('sequences'), sequences: z.array(Sequence) });

/** The numbers of a backup. `lostFiles`: ids of rows in `file` whose bytes were missing or altered. */
const Totals = z.object({
  tables: z.int(),
  rows: z.int(),
  files: z.int(),
  lostFiles: z.array(z.string()),
});
export type Totals = z.infer<typeof Totals>;

/** The last record. `digest`: SHA-256 of everything before it; `seal`: its HMAC under the newest encryption key. */
const End = Totals.extend({ kind: z.literal('end'), digest: z.string(), seal: z.string() });
export type End = z.infer<typeof End>;

/** What follows the header. */
export const PARTS = [Table, TableEnd, StoredFile, FileEnd, Sequences, End] as const;
export type Part = z.infer<(typeof PARTS)[number]>;

/** What the files of one command have in common. */
export interface Format<First extends { kind: 'header' }> {
  /** Text at the beginning. */
  magic: string;
  /** What the file is called in messages, for example `backup`. */
  noun: string;
  /** What has not happened if it is refused, for example `Nothing was restored.` */
  consequence: string;
  record: z.ZodType<First | Part>;
  /** The keys of which one must have sealed the file. Throws a BackupFault if they can be told to be wrong. */
  keysOf(header: First): Promise<readonly string[]>;
  /** Why a file that none of the keys sealed is refused. */
  unsealed: string;
}

/** A backup, sealed by one of `keys`. */
export const backupFormat = (keys: readonly string[]): Format<Header> => ({
  magic: MAGIC,
  noun: 'backup',
  consequence: 'Nothing was restored.',
  record: z.discriminatedUnion('kind', [Header, ...PARTS]),
  keysOf: async () => keys,
  unsealed:
    'No key of ENCRYPTION_KEY sealed this backup: it needs the keys of the installation that it is from, or it was altered.',
});
