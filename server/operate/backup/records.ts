import { z } from 'zod';

/** The beginning of a backup. */
export const BACKUP_MAGIC = 'weft backup 1\n';

/** The first record: what the backup is and what it needs. Keys are named, never included. */
const BackupHeader = z.object({
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
export type BackupHeader = z.infer<typeof BackupHeader>;

/** Followed by data: the rows in the text format of COPY. */
const TableRecord = z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()).min(1) });
export type TableRecord = z.infer<typeof TableRecord>;
const TableEndRecord = z.object({ kind: z.literal('tableEnd'), rows: z.int().min(0) });

/** Followed by data: the bytes. `size` in bytes. */
const FileRecord = z.object({
  kind: z.literal('file'),
  id: z.string().regex(/^file_[\w-]{1,64}$/),
  size: z.int().min(0),
  sha256: z.string(),
});
export type FileRecord = z.infer<typeof FileRecord>;
/** `isWhole`: false if the storage had other bytes than were stored in it, so that a restore leaves them out. */
const FileEndRecord = z.object({ kind: z.literal('fileEnd'), isWhole: z.boolean() });

/** `table` and `column` own the sequence; null if it stands alone. */
const SequenceValue = z.object({
  name: z.string(),
  table: z.string().nullable(),
  column: z.string().nullable(),
  value: z.string().regex(/^-?\d{1,19}$/),
});
export type SequenceValue = z.infer<typeof SequenceValue>;
const SequencesRecord = z.object({ kind: z.literal('sequences'), sequences: z.array(SequenceValue) });

/** The numbers of a backup. `lostFiles`: ids of rows in `file` whose bytes were missing or altered. */
const BackupTotals = z.object({
  tables: z.int(),
  rows: z.int(),
  files: z.int(),
  lostFiles: z.array(z.string()),
});
export type BackupTotals = z.infer<typeof BackupTotals>;

/** The last record. `digest`: SHA-256 of everything before it; `seal`: its HMAC under the newest encryption key. */
const EndRecord = BackupTotals.extend({ kind: z.literal('end'), digest: z.string(), seal: z.string() });
export type EndRecord = z.infer<typeof EndRecord>;

/** The records that follow the header. */
export const BACKUP_RECORDS = [
  TableRecord,
  TableEndRecord,
  FileRecord,
  FileEndRecord,
  SequencesRecord,
  EndRecord,
] as const;
export type BackupRecord = z.infer<(typeof BACKUP_RECORDS)[number]>;

/** The properties that all files of one command share. */
export interface BackupFileFormat<First extends { kind: 'header' }> {
  /** Text at the beginning. */
  magic: string;
  /** What the file is called in messages, for example `backup`. */
  noun: string;
  /** A sentence that says what has not happened if the file is refused, for example `Nothing was restored.` */
  consequence: string;
  record: z.ZodType<First | BackupRecord>;
  /** The keys of which one must have sealed the file. Throws a BackupFault if they can be told to be wrong. */
  keysOf(header: First): Promise<readonly string[]>;
  /** Why a file that none of the keys sealed is refused. */
  unsealed: string;
}

/** A backup, sealed by one of `keys`. */
export const backupFormat = (keys: readonly string[]): BackupFileFormat<BackupHeader> => ({
  magic: BACKUP_MAGIC,
  noun: 'backup',
  consequence: 'Nothing was restored.',
  record: z.discriminatedUnion('kind', [BackupHeader, ...BACKUP_RECORDS]),
  keysOf: async () => keys,
  unsealed:
    'No key of ENCRYPTION_KEY sealed this backup: it needs the keys of the installation that it is from, or it was altered.',
});
